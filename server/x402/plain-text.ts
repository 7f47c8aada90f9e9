// Control characters, and those that reorder, hide or tag text: what a reader does not see must not reach an agent that reads it.
const BLANKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g
const UNSEEN = /[\p{Cc}\p{Cf}\u{e0000}-\u{e0fff}]/gu

/** A stranger's text on one line, without what cannot be seen, at most `most` characters long. */
export function plainText(text: string, most: number): string {
  const plain = text.replace(BLANKS, ' ').replace(UNSEEN, '').trim()
  // By code points: half of a surrogate pair is no text.
  return plain.length > most ? [...plain].slice(0, most).join('') : plain
}

/** What is wrong with a stranger's JSON: too deep below itself, or too large when written. */
export type JsonFlaw = 'too deep' | 'too large'

/** A stranger's JSON with its texts made plain, or what is wrong with it. Keys lose nothing but what cannot be seen. */
export function plainJson(value: unknown, most: { depth: number; bytes: number }): { json: unknown } | { flaw: JsonFlaw } {
  if (deeperThan(value, most.depth)) return { flaw: 'too deep' }
  const json = plainValue(value)
  const written = new TextEncoder().encode(JSON.stringify(json, numbersInDigits) ?? '').length
  return written > most.bytes ? { flaw: 'too large' } : { json }
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(BLANKS, ' ').replace(UNSEEN, '')
  if (Array.isArray(value)) return value.map(plainValue)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key.replace(UNSEEN, ''), plainValue(inner)] as const)
  return Object.fromEntries(entries.filter(([key]) => key !== '__proto__'))
}

// As long as the database writes them: without an exponent, so that 1e300 takes 301 bytes.
function numbersInDigits(_key: string, value: unknown): unknown {
  if (typeof value !== 'number' || value === 0) return value
  const zeros = Math.abs(Math.log10(Math.abs(value)))
  return zeros > 6 ? '0'.repeat(Math.ceil(zeros)) : value
}

function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels < 0 || Object.values(value).some((inner) => deeperThan(inner, levels - 1))
}
