import { withoutSecrets } from '../log'

// What URLs and headers of others carry as keys: query values, user names, keys in the paths of RPC providers.
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/([?&][\w.-]*(?:key|token|secret|password|auth)[\w.-]*=)[^&\s"'<>]+/gi, '$1<secret>'],
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^/\s"'@]+@/gi, '$1<secret>@'],
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
