import type { ReactNode } from 'react'
import { cx } from '../../ui/class-names'

/** Terms with their meaning, as a list of two columns; one column on a phone. `--term` is the width of the first. */
export function Terms({ className = 'gap-[0.55rem]', children }: { className?: string; children: ReactNode }) {
  return <dl className={cx('grid', className)}>{children}</dl>
}

/** A term and its meaning. Without a name it shows its id, as a link to itself. */
export function Term({ id, name, children }: { id?: string; name?: ReactNode; children: ReactNode }) {
  return (
    <div className="grid gap-x-[1.2rem] gap-y-[0.1rem] min-[42rem]:grid-cols-[var(--term,13.5rem)_minmax(0,1fr)]" id={id}>
      <dt className="font-semibold [&_code]:bg-transparent [&_code]:p-0 [&_code]:text-[0.86em]">
        {name ?? (
          <a className="anchor" href={`#${id}`}>
            <code>{id}</code>
          </a>
        )}
      </dt>
      <dd className="wrap-anywhere text-soft">{children}</dd>
    </div>
  )
}
