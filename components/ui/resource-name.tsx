import { cx } from './class-names'
import { CutInMiddle } from './copyable'

type Props = {
  url: string
  /** A plain name that stands for it. */
  name?: string | null
  className?: string
}

/** A URL without its scheme, on one line. Where room is short the middle of its host is cut, and only then that of its path. */
export function ResourceName({ url, name, className }: Props) {
  const { host, path } = partsOf(name ?? url)
  return (
    <span title={url} className={cx('flex min-w-0 overflow-hidden', className)}>
      {/* Screen readers would hear a gap between boxes. */}
      <span className="sr-only select-none">{host + path}</span>
      {host ? (
        // Its end stands at the path: an ellipsis there would leave a gap.
        <span aria-hidden data-host className="flex min-w-6 shrink-[999] justify-end overflow-hidden text-soft">
          <CutInMiddle text={host} end={HOST_END} />
        </span>
      ) : null}
      <CutInMiddle text={path} end={PATH_END} />
    </span>
  )
}

const HOST_END = 4
const PATH_END = 10

/** The host and the path of a URL. What has no path is a name: a path without a host. */
export function partsOf(url: string): { host: string; path: string } {
  const text = url.replace(/^https?:\/\//, '')
  const [host = ''] = /^([a-z][\w+.-]*:\/\/)?[^/?#]*/i.exec(text) ?? []
  return host === text ? { host: '', path: text } : { host, path: text.slice(host.length) }
}
