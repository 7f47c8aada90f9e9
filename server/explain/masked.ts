import { withoutSecrets } from '../log'

// What URLs and headers of others carry as keys: query values, user names, keys in the paths of RPC providers.
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // The names have bounds: without them a long text costs its square.
  [/([?&][\w.-]{0,40}(?:key|token|secret|password|auth)[\w.-]{0,40}=)[^&\s"'<>]+/gi, '$1<secret>'],
  [/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^/\s"'@]{1,300}@/gi, '$1<secret>@'],
  [/(\/v\d\/)[\w-]{20,}/g, '$1<secret>'],
]

/** The value with the secrets in its texts replaced: API keys, tokens, and keys in pasted URLs. */
export function masked<T>(value: T): T {
  // Texts stay texts, and nothing else changes.
  return maskedValue(value) as T
}

function maskedValue(value: unknown): unknown {
  if (typeof value === 'string') return PATTERNS.reduce((text, [found, mask]) => text.replace(found, mask), withoutSecrets(value))
  if (Array.isArray(value)) return value.map(maskedValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskedValue(inner)]))
}
