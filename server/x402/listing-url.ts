/** The URL of a listed resource: origin and path, host as A-label, no query. */
type ListedUrl = { url: string; host: string }

/** What is wrong with the URL of a resource that cannot be listed. */
export type UrlRule = 'url_missing' | 'url_invalid' | 'url_not_public'

/** How many days a listing stays without a payment. */
export const LISTED_DAYS = 90

const URL_MAX = 2_048
const DECODINGS_MAX = 5

// Names that public resolvers do not know, or that mean something in a private network only.
const PRIVATE_SUFFIX =
  /(^|\.)(localhost|local|localdomain|internal|intranet|private|corp|home|lan|test|example|invalid|onion|arpa)$/

const UNPRINTABLE = /[\s\p{Cc}\p{Cf}\\]/u

/**
 * The URL under which a resource is listed: its origin with the route template if usable, else with its path. Returns what is wrong
 * with a URL that cannot be listed; `privateHosts` allows hosts that are not public.
 */
export function listedUrl(
  written: string,
  template: string | null,
  { privateHosts }: { privateHosts: boolean },
): ListedUrl | { rejected: string; rule: UrlRule } {
  if (written === '') return { rejected: 'the resource has no URL', rule: 'url_missing' }
  if (UNPRINTABLE.test(written)) return invalid('the resource URL holds blanks, backslashes or characters that cannot be seen')
  const parsed = URL.canParse(written) ? new URL(written) : null
  if (!parsed) return invalid('the resource URL is not an absolute URL')
  if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') return invalid('the resource URL is not http(s)')
  if (parsed.username || parsed.password) return invalid('the resource URL holds a user name or password')
  if (!privateHosts && !isPublicHost(parsed.hostname)) {
    const rejected = 'the host of the resource URL is private, local, an IP address or a single label'
    return { rejected, rule: 'url_not_public' }
  }
  // One name, one form.
  parsed.hostname = parsed.hostname.replace(/\.$/, '')
  const url = `${parsed.origin}${onePath(template ?? parsed.pathname)}`
  return url.length > URL_MAX ? invalid(`the resource URL is longer than ${URL_MAX} characters`) : { url, host: parsed.host }
}

const invalid = (rejected: string) => ({ rejected, rule: 'url_invalid' as const })

// Letters, digits and `-._~` mean the same with and without a percent sign (RFC 3986, 6.2.2).
const onePath = (path: string): string =>
  path.replace(/%[\da-f]{2}/gi, (written) => {
    const character = String.fromCharCode(Number.parseInt(written.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : written.toUpperCase()
  })

/** Whether a host, as `URL` writes it, has a public name. `URL` has already normalised every form of an IP address and every A-label. */
export function isPublicHost(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  return !isAddress(name) && name.includes('.') && !PRIVATE_SUFFIX.test(name)
}

/** Whether a host, as `URL` writes it, belongs to this machine or a private network. */
export function isLocalHost(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  return isAddress(name) ? LOCAL_ADDRESS.test(name) : !isPublicHost(name)
}

const isAddress = (name: string): boolean => name.startsWith('[') || /^\d+(\.\d+){3}$/.test(name)

// Loopback, private (RFC 1918), link-local and unique local (RFC 4193) addresses.
const LOCAL_ADDRESS = /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.|^\[(::1\]|f[cd]|fe[89ab])/

/** A route template such as `/users/:id`; null for one that could lead elsewhere in any encoding. */
export function routeTemplateIn(declared: unknown): string | null {
  if (typeof declared !== 'string' || !/^\/[a-zA-Z0-9_/:.\-~%]+$/.test(declared)) return null
  const decoded = decodedWhole(declared)
  return decoded === null || decoded.includes('..') || decoded.includes('://') ? null : declared
}

function decodedWhole(text: string): string | null {
  let decoded = text
  for (let pass = 0; pass < DECODINGS_MAX; pass++) {
    const next = decodedOnce(decoded)
    if (next === null || next === decoded) return next
    decoded = next
  }
  return null
}

function decodedOnce(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
