import type { ReactNode } from 'react'
import { cx } from './class-names'

/** A framed section with a title. */
export function Panel({
  title,
  action,
  children,
  className,
}: {
  title?: string
  action?: ReactNode
  children: ReactNode
  className?: string
}) {
  return (
    <section
      className={cx('min-w-0 rounded-xl border border-solid border-line bg-card', className)}
      {...(title ? { 'aria-label': title } : {})}
    >
      {title ? (
        <header className="flex min-h-12 items-center justify-between gap-3 border-0 border-b border-solid border-line px-4 py-2">
          <h2 className="m-0 font-semibold">{title}</h2>
          {action}
        </header>
      ) : null}
      {children}
    </section>
  )
}

/** An empty state with the next step. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-2 px-6 py-12 text-center">
      <h3 className="m-0 font-semibold">{title}</h3>
      {children ? <p className="m-0 max-w-prose text-soft">{children}</p> : null}
      {action ? <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div> : null}
    </div>
  )
}

/** A placeholder while data loads. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx('pulse block rounded bg-code', className ?? 'h-4 w-full')} />
}

/** An error message with a retry button. */
export function Problem({ error, retry }: { error: { message: string }; retry?: () => void }) {
  return (
    <div role="alert" className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-bad-wash px-4 py-3 text-bad">
      <span>{error.message}</span>
      {retry ? (
        <button type="button" onClick={retry} className="font-semibold underline">
          Try again
        </button>
      ) : null}
    </div>
  )
}

/** A name and its value in a `dl` of details. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[7rem_minmax(0,1fr)] items-start gap-3">
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}
