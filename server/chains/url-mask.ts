/** Replaces the parts of a URL in a text. */
export type Mask = (text: string) => string

/** A shorter part is a word such as `rpc` or `v2`, which other texts hold too, and no key. */
const PART_MIN = 6

/** Masks the host of a URL and its parts that may be a key, in any case: messages of sockets and nodes quote them without the rest. */
export function maskOf(url: string): Mask {
  const { hostname, username, password, pathname, searchParams } = new URL(url)
  const hosts = [hostname, ...hostname.split('.')]
  const parts = [...hosts, username, password, ...pathname.split('/'), ...searchParams.values()]
  const written = parts.flatMap((part) => [part, decoded(part)]).filter((part) => part.length >= PART_MIN)
  if (written.length === 0) return (text) => text
  const longestFirst = [...new Set(written)].toSorted((one, other) => other.length - one.length)
  const pattern = new RegExp(longestFirst.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|'), 'gi')
  return (text) => text.replace(pattern, '<url>')
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The error with a masked message, and without the fields in which sockets repeat it. */
export function maskedError(error: unknown, mask: Mask): Error {
  if (!(error instanceof Error)) return new Error(mask(String(error)))
  const { name, message } = error
  return Object.assign(new Error(mask(message)), { name }, 'code' in error ? { code: error.code } : {})
}
