import type { ReactNode } from 'react'
import { cx } from './class-names'
import { CutInMiddle } from './copyable'

type Props = {
  url: string
  /** A plain name that stands for it. */
  name?: string | null
  /** Where its host stands below its path: everywhere, or in a narrow table. */
  stacks?: keyof typeof STACKS | undefined
  className?: string
  /** A badge after its path. */
  children?: ReactNode
}

/**
 * A URL without its scheme. On one line the start of its host is cut where room is short, and only then the middle of its path. Below the
 * path the end of the host is cut, and all hosts begin at the same edge.
 */
export function ResourceName({ url, name, stacks, className, children }: Props) {
  const { host, path } = partsOf(name ?? url)
  const stack = stacks && host ? STACKS[stacks] : null
  return (
    <span title={url} className={cx('min-w-0 overflow-hidden', stack?.box ?? 'flex', className)}>
      {/* Screen readers would hear a gap between boxes. */}
      <span className="sr-only select-none">{host + path}</span>
      {host ? (
        // Right to left, so that its start is cut: its end says whose host it is, and no gap stands before the path.
        <span aria-hidden data-host dir="rtl" className={cx('min-w-6 shrink-[999] truncate text-soft', stack?.host)}>
          <bdi dir="ltr">{host}</bdi>
        </span>
      ) : null}
      <CutInMiddle text={path} end={PATH_END} />
      {children ? <span className="ml-2 flex shrink-0 self-center justify-self-start">{children}</span> : null}
    </span>
  )
}

const PATH_END = 10

// The path has two boxes, its start and its end; a badge may follow them.
const STACKS = {
  always: { box: 'grid grid-cols-[minmax(0,auto)_auto_1fr]', host: 'order-1 col-span-full [direction:ltr]' },
  narrow: {
    box: 'flex @max-[70rem]:grid @max-[70rem]:grid-cols-[minmax(0,auto)_auto_1fr]',
    host: '@max-[70rem]:order-1 @max-[70rem]:col-span-full @max-[70rem]:text-sm @max-[70rem]:leading-4.5 @max-[70rem]:[direction:ltr]',
  },
} as const

/** The height of a table's row in which a name may stack. */
export const STACKED_ROW = '@max-[70rem]:h-13'

/** The host and the path of a URL. What has no path is a name: a path without a host. */
export function partsOf(url: string): { host: string; path: string } {
  const text = url.replace(/^https?:\/\//, '')
  const [host = ''] = /^([a-z][\w+.-]*:\/\/)?[^/?#]*/i.exec(text) ?? []
  return host === text ? { host: '', path: text } : { host, path: text.slice(host.length) }
}
