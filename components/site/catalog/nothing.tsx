import type { ReactNode } from 'react'
import { cx } from '../../ui/class-names'
import { EmptyIcon } from '../../ui/panel'
import { ACTIONS } from '../frame/actions'

type Props = {
  title: string
  /** Of the heading: 1 where it is the whole page. */
  level?: 1 | 2
  text: string
  /** The links to what helps. */
  children: ReactNode
}

const LOOK = 'my-[1.4rem] grid justify-items-center gap-[0.6rem] rounded-(--radius) border border-dashed px-5 py-14 text-center'

/** What stands in place of entries that there are none of, with the next steps. */
export function Nothing({ children, ...said }: Props) {
  return (
    <section className={LOOK}>
      <EmptyIcon />
      <Said {...said} />
      <p className={cx(ACTIONS, 'justify-center pt-[0.6rem]')}>{children}</p>
    </section>
  )
}

/** What stands in place of entries that could not be read. */
export function Unread({ children, ...said }: Props) {
  return (
    <section className={LOOK} role="alert">
      <Said {...said} />
      <p>{children}</p>
    </section>
  )
}

function Said({ title, level = 2, text }: Omit<Props, 'children'>) {
  const Heading = `h${level}` as const
  return (
    <>
      <Heading className="text-[1.25rem]">{title}</Heading>
      <p className="text-soft">{text}</p>
    </>
  )
}
