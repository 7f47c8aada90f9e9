import { cx } from './class-names'

type Props = {
  url: string
  /** A plain name that stands for it. */
  name?: string | null
  className?: string
}

/** A URL without its scheme, on one line. Where room is short its host is cut, and its path only if it is very long. */
export function ResourceName({ url, name, className }: Props) {
  const { host, path } = partsOf(name ?? url)
  return (
    <span title={url} className={cx('flex min-w-0', className)}>
      {host ? <span className="min-w-6 shrink-[999] truncate text-soft">{host}</span> : null}
      <span className="truncate">{path}</span>
    </span>
  )
}

/** The host and the path of a URL. What has no path is a name: a path without a host. */
export function partsOf(url: string): { host: string; path: string } {
  const text = url.replace(/^https?:\/\//, '')
  const [host = ''] = /^([a-z][\w+.-]*:\/\/)?[^/?#]*/i.exec(text) ?? []
  return host === text ? { host: '', path: text } : { host, path: text.slice(host.length) }
}
