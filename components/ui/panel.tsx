import { type LucideIcon, ReceiptText } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './class-names'

/** A framed section with a title. */
export function Panel({
  title,
  icon,
  action,
  children,
  className,
}: {
  title?: string
  /** Before the title. */
  icon?: ReactNode
  action?: ReactNode
  children: ReactNode
  className?: string
}) {
  return (
    <section className={cx('min-w-0 panel', className)} {...(title ? { 'aria-label': title } : {})}>
      {title ? (
        <header className="flex min-h-12 items-center justify-between gap-3 border-b px-4 py-2">
          <h2 className="flex items-center gap-2 font-semibold">
            {icon}
            {title}
          </h2>
          {action}
        </header>
      ) : null}
      {children}
    </section>
  )
}

/** An empty state with the next step, under an icon or a line of code. */
export function Empty({
  title,
  level = 3,
  icon,
  code,
  children,
  action,
}: {
  title: string
  icon?: LucideIcon
  /** Above the title in place of an icon. */
  code?: ReactNode
  /** Of the heading: 1 where it is the whole page, 2 where it opens one. */
  level?: 1 | 2 | 3
  children?: ReactNode
  action?: ReactNode
}) {
  const Heading = `h${level}` as const
  return (
    <div className="grid justify-items-center gap-2 px-6 py-8 text-center">
      {code ? (
        <code aria-hidden className="mb-2 rounded-lg border bg-code px-3 py-2 text-sm whitespace-nowrap text-soft">
          {code}
        </code>
      ) : (
        <EmptyIcon icon={icon} />
      )}
      <Heading className={cx('font-semibold', level < 3 && 'text-xl leading-snug text-balance')}>{title}</Heading>
      {children ? <p className="max-w-prose text-balance text-soft">{children}</p> : null}
      {action ? <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div> : null}
    </div>
  )
}

/** The icon above what a list lacks. */
export function EmptyIcon({ icon: Icon = ReceiptText }: { icon?: LucideIcon | undefined }) {
  return <Icon aria-hidden className="mb-1 size-12 stroke-1 text-soft" />
}

/** A placeholder while data loads. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <span aria-hidden className={cx('pulse block rounded bg-code', className ?? 'h-4 w-full')} />
}

/** A name and its value in a `dl` of details. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6.25rem_minmax(0,1fr)] items-baseline gap-3">
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}
