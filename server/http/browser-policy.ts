/** The headers of every answer for browsers, and of a page, whose scripts carry the nonce of its request. */
export type BrowserPolicy = {
  every: Record<string, string>
  page: (nonce: string) => Record<string, string>
}

export type PolicyFacts = {
  /** The service's own address; over https browsers stay there. */
  baseUrl: string
  /** Where the playground's merchant is, if there is one: the one foreign address that a page asks. */
  playgroundUrl: string | null
  /** Next's development client makes functions of text, writes styles and speaks over a socket. */
  development: boolean
}

const YEAR_SECONDS = 31_536_000

// The library of notices writes one sheet into the page, first empty and then whole; it knows no nonce (test/notice-style.test.ts).
export const NOTICE_STYLES = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='",
] as const

const PAGE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), browsing-topics=()',
  // Wallets open windows of their own and have to be heard by the page that opened them.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
} as const

/** The policy of a service at its own address. */
export function browserPolicy(facts: PolicyFacts): BrowserPolicy {
  const every = facts.baseUrl.startsWith('https://') ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {}
  return { every, page: (nonce) => ({ ...PAGE_HEADERS, 'content-security-policy': contentPolicy(facts, nonce) }) }
}

// Nothing but what is named: a script runs when it carries the nonce or was loaded by one that does.
function contentPolicy({ baseUrl, playgroundUrl, development }: PolicyFacts, nonce: string): string {
  const playground = playgroundUrl === null ? [] : [new URL(playgroundUrl).origin]
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': [`'nonce-${nonce}'`, "'strict-dynamic'", ...(development ? ["'unsafe-eval'"] : [])],
    'style-src': ["'self'", ...(development ? ["'unsafe-inline'"] : [`'nonce-${nonce}'`, ...NOTICE_STYLES])],
    'connect-src': ["'self'", ...playground, ...(development ? ['ws:'] : [])],
    // Wallets announce themselves with a picture in the address itself.
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    ...(baseUrl.startsWith('https://') ? { 'upgrade-insecure-requests': [] } : {}),
  }
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ')
}
