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
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}
