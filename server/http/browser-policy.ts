/** The security headers of every response, of a built file, and of a page, whose scripts need the nonce of its request. */
export type BrowserPolicy = {
  every: Record<string, string>
  file: Record<string, string>
  page: (nonce: string) => Record<string, string>
}

export type PolicyFacts = {
  /** The public origin; with https, browsers get an HSTS header. */
  baseUrl: string
  /** The playground's merchant: the only other origin that pages may request; null without one. */
  playgroundUrl: string | null
  /** Whether pages offer WalletConnect, and may reach its servers. */
  walletConnect: boolean
  /** Next's development client uses eval, inline styles and a WebSocket. */
  development: boolean
}

const YEAR_SECONDS = 31_536_000

// The toast library injects one style sheet without a nonce, first empty and then complete (test/style/notice-style.test.ts).
export const NOTICE_STYLES = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='",
] as const

// The relay, reads of chains, and the frame that proves our host to wallets.
const WALLET_CONNECT = {
  connect: ['wss://relay.walletconnect.org', 'https://rpc.walletconnect.org', 'https://verify.walletconnect.org'],
  frame: ['https://verify.walletconnect.org'],
} as const

const PAGE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), browsing-topics=()',
  // Wallets open popups that post messages to the page.
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
} as const

// A page loads twenty files: what only documents need would cost it as much as a file.
const FILE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const

/** The browser policy of a service. */
export function browserPolicy(facts: PolicyFacts): BrowserPolicy {
  const every = facts.baseUrl.startsWith('https://') ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {}
  return {
    every,
    file: FILE_HEADERS,
    page: (nonce) => ({ ...PAGE_HEADERS, 'content-security-policy': contentPolicy(facts, nonce) }),
  }
}

// Blocks everything by default. A script runs if it has the nonce or was loaded by a script that has it.
function contentPolicy({ baseUrl, playgroundUrl, walletConnect, development }: PolicyFacts, nonce: string): string {
  const playground = playgroundUrl === null ? [] : [new URL(playgroundUrl).origin]
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': [`'nonce-${nonce}'`, "'strict-dynamic'", ...(development ? ["'unsafe-eval'"] : [])],
    'style-src': ["'self'", ...(development ? ["'unsafe-inline'"] : [`'nonce-${nonce}'`, ...NOTICE_STYLES])],
    'connect-src': ["'self'", ...playground, ...(walletConnect ? WALLET_CONNECT.connect : []), ...(development ? ['ws:'] : [])],
    ...(walletConnect ? { 'frame-src': WALLET_CONNECT.frame } : {}),
    // Wallets announce their icons as data: URLs.
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
