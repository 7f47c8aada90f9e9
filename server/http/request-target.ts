import { holdsKey } from '../log'

/** Where a request wants to go, with the path in its one normal form. */
export type Target =
  | { kind: 'api' | 'page'; path: string; segments: string[]; search: string }
  /** A path that no route may have: one that climbs with `..`, or a mistyped address with a key, which a page would print and refer to. */
  | { kind: 'hidden'; segments: string[] }
  | { kind: 'broken'; message: string }

const API_PREFIXES = new Set([
  'sandbox',
  'v1',
  'api',
  'admin',
  'discovery',
  'health',
  'supported',
  'metrics',
  'openapi.json',
  'llms.txt',
])

// Printable ASCII with whole percent escapes; a backslash is a slash to some parsers and `#` ends the path for others.
const WELL_FORMED = /^(?:[!"$&-[\]-~]|%[0-9A-Fa-f]{2})*$/

/**
 * Reads a raw request target: collapses repeated slashes, drops a trailing one, resolves nothing. Which prefix a path has is judged on its
 * decoded form, because Next decodes too: `/%73andbox/settle` must not reach a payment route around the door.
 */
export function readTarget(raw: string): Target {
  const cut = raw.indexOf('?')
  const before = cut < 0 ? raw : raw.slice(0, cut)
  const path = before.startsWith('/') ? before : pathOfUrl(before)
  if (path === undefined) return broken('the request target must be a path that starts with "/"')
  if (!WELL_FORMED.test(path)) {
    return broken('the path holds a character that must be percent-encoded, or a "%" without two hexadecimal digits after it')
  }

  const segments = path.split('/').filter(Boolean)
  const decoded = decodeAll(segments)
  if (!decoded) return broken('the percent-encoded bytes of the path are not UTF-8')
  if (decoded.some((segment) => segment === '.' || segment === '..' || /[/\\\p{Cc}]/u.test(segment)))
    return { kind: 'hidden', segments }

  const kind = isApi(decoded[0]) ? 'api' : 'page'
  // Next's own files have long names, some of which look like a session token (`dist_compiled_…`).
  if (kind === 'page' && decoded[0] !== '_next' && decoded.some(holdsKey)) return { kind: 'hidden', segments }
  return { kind, path: `/${segments.join('/')}`, segments, search: cut < 0 ? '' : raw.slice(cut) }
}

function broken(message: string): Target {
  return { kind: 'broken', message }
}

// The absolute form is legal for every request; its host is no promise about anything, so only the path is kept.
function pathOfUrl(url: string): string | undefined {
  const match = /^https?:\/\/[^/]*(\/.*)?$/i.exec(url)
  return match ? (match[1] ?? '/') : undefined
}

function decodeAll(segments: string[]): string[] | undefined {
  if (!segments.some((segment) => segment.includes('%'))) return segments
  try {
    return segments.map(decodeURIComponent)
  } catch {
    return undefined
  }
}

// `/` redirects and `/Sandbox` is a typing error in a base URL: programs call both, so both get the API's manners.
function isApi(first: string | undefined): boolean {
  return first === undefined || API_PREFIXES.has(first.toLowerCase())
}
