import { holdsKey } from '../base/log'

/** The kind of a request target, with its normalised path. */
export type Target =
  | { kind: 'api' | 'page'; path: string; segments: string[]; search: string }
  /**
   * A path that no route may have: one that climbs with `..`, a part of Next that our pages do not use, or a mistyped address with a
   * key, which a page would print and refer to.
   */
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
  'status.json',
  'openapi.json',
  'llms.txt',
  'mcp',
  '.well-known',
])

// Next answers these for every visitor. `image` decodes a picture for each new URL, and calls our routes without headers.
const UNUSED_OF_NEXT = new Set(['image', 'data'])

// Printable ASCII with complete percent escapes. No backslash and no `#`, which parsers read differently.
const WELL_FORMED = /^(?:[!"$&-[\]-~]|%[0-9A-Fa-f]{2})*$/

/**
 * Normalises a raw request target: collapses repeated slashes and drops a trailing one, but resolves no dot segments. It classifies
 * the decoded path, because Next decodes too: `/%73andbox/settle` must not bypass our checks.
 */
export function readTarget(raw: string): Target {
  const cut = raw.indexOf('?')
  const before = cut < 0 ? raw : raw.slice(0, cut)
  const path = before.startsWith('/') ? before : pathOfUrl(before)
  if (path === undefined) return broken('the request target must be a path that starts with "/"')
  if (!WELL_FORMED.test(path)) {
    return broken('the path has a character that must be percent-encoded, or a "%" without two hexadecimal digits after it')
  }

  const segments = path.split('/').filter(Boolean)
  const decoded = decodeAll(segments)
  if (!decoded) return broken('the percent-encoded bytes of the path are not UTF-8')
  if (decoded.some((segment) => segment === '.' || segment === '..' || /[/\\\p{Cc}]/u.test(segment)))
    return { kind: 'hidden', segments }
  if (decoded[0] === '_next' && UNUSED_OF_NEXT.has(decoded[1] ?? '')) return { kind: 'hidden', segments }

  const kind = isApi(decoded[0]) ? 'api' : 'page'
  // Not for Next's own files: some names look like a session token (`dist_compiled_…`).
  if (kind === 'page' && decoded[0] !== '_next' && decoded.some(holdsKey)) return { kind: 'hidden', segments }
  return { kind, path: `/${segments.join('/')}`, segments, search: cut < 0 ? '' : raw.slice(cut) }
}

function broken(message: string): Target {
  return { kind: 'broken', message }
}

// The absolute form is legal for every request; its host is untrusted, so only the path is used.
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

// Programs call `/` and mistyped prefixes such as `/Sandbox`, so both get API responses.
function isApi(first: string | undefined): boolean {
  return first === undefined || API_PREFIXES.has(first.toLowerCase())
}
