import type { ReactNode } from 'react'
import { cx } from '../../ui/class-names'

/** A part of a public page, with the title and what it says below that. */
export function Section({ id, title, about, children }: { id: string; title: string; about?: ReactNode; children: ReactNode }) {
  return (
    <section className={cx(SECTION, 'gap-[1.6rem]')} id={id}>
      <header className="grid max-w-[42rem] gap-2">
        <h2>{title}</h2>
        {about ? <p className="text-soft">{about}</p> : null}
      </header>
      {children}
    </section>
  )
}

/** The classes of a part without its own title. */
export const SECTION = 'grid border-t py-[clamp(2.2rem,5vw,3.6rem)]'
