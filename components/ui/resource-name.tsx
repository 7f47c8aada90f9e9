import { cx } from './class-names'
import { CutInMiddle } from './copyable'

type Props = {
  url: string
  /** A plain name that stands for it. */
  name?: string | null
  className?: string
}

/** A URL without its scheme, on one line. Where room is short the start of its host is cut, and only then the middle of its path. */
export function ResourceName({ url, name, className }: Props) {
  const { host, path } = partsOf(name ?? url)
  return (
    <span title={url} className={cx('flex min-w-0 overflow-hidden', className)}>
      {/* Screen readers would hear a gap between boxes. */}
      <span className="sr-only select-none">{host + path}</span>
      {host ? (
        // Right to left, so that its start is cut: its end says whose host it is, and no gap stands before the path.
        <span aria-hidden data-host dir="rtl" className="min-w-6 shrink-[999] truncate text-soft">
          <bdi dir="ltr">{host}</bdi>
        </span>
      ) : null}
      <CutInMiddle text={path} end={PATH_END} />
    </span>
  )
}

const PATH_END = 10

/** The host and the path of a URL. What has no path is a name: a path without a host. */
export function partsOf(url: string): { host: string; path: string } {
  const text = url.replace(/^https?:\/\//, '')
  const [host = ''] = /^([a-z][\w+.-]*:\/\/)?[^/?#]*/i.exec(text) ?? []
  return host === text ? { host: '', path: text } : { host, path: text.slice(host.length) }
}
