import { cx } from './class-names'

/** A URL without its scheme, on one line. Where room is short its host is cut, and its path only if it is very long. */
export function ResourceName({ url, className }: { url: string; className?: string }) {
  const { host, path } = partsOf(url)
  return (
    <span title={url} className={cx('flex min-w-0', className)}>
      {host ? <span className="min-w-6 shrink-[999] truncate text-soft">{host}</span> : null}
      <span className="truncate">{path}</span>
    </span>
  )
}

function partsOf(url: string): { host: string; path: string } {
  const text = url.replace(/^https?:\/\//, '')
  const [host = ''] = /^([a-z][\w+.-]*:\/\/)?[^/?#]*/i.exec(text) ?? []
  // What has no path is a name, and shows in full strength.
  return host === text ? { host: '', path: text } : { host, path: text.slice(host.length) }
}
