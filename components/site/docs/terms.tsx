import type { ReactNode } from 'react'
import { cx } from '../../ui/class-names'

const FRAMED = 'frame gap-0! px-[1.1rem] *:border-t *:py-[0.7rem] *:first:border-t-0'

type Props = {
  className?: string
  /** Whether they stand in a frame, with a line between them. */
  framed?: boolean
  children: ReactNode
}

/** Terms with their meaning, as a list of two columns; one column on a phone. `--term` is the width of the first. */
export function Terms({ className, framed = false, children }: Props) {
  return <dl className={cx('grid gap-[0.55rem]', framed && FRAMED, className)}>{children}</dl>
}

// A phone shows the value beside the name.
const VALUED = 'grid-cols-[minmax(0,1fr)_auto] min-[42rem]:grid-cols-[var(--term,13.5rem)_8.5rem_minmax(0,1fr)]'

type TermProps = { id?: string; name?: ReactNode; value?: string; children: ReactNode }

/** A term and its meaning, with its default or cost in a column between. Without a name it shows its id, as a link to itself. */
export function Term({ id, name, value, children }: TermProps) {
  const columns = value ? VALUED : 'min-[42rem]:grid-cols-[var(--term,13.5rem)_minmax(0,1fr)]'
  return (
    <div className={cx('grid gap-x-[1.2rem] gap-y-[0.1rem]', columns)} id={id}>
      <dt className="font-semibold [&_code]:bg-transparent [&_code]:p-0 [&_code]:text-[0.86em]">
        {name ?? (
          <a className="anchor" href={`#${id}`}>
            <code>{id}</code>
          </a>
        )}
      </dt>
      {value ? <dd>{value}</dd> : null}
      <dd className={cx('wrap-anywhere', value && 'text-soft max-[42rem]:col-span-2')}>{children}</dd>
    </div>
  )
}
