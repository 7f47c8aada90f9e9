import { type RefusalReason, ServiceError } from '../errors'

const MAX_DEPTH = 16

/**
 * Parses JSON that a stranger wrote. Throws `bad_request` for what parsers or databases choke on later:
 * nesting over 16 levels, `__proto__` keys, NUL characters, lone surrogates, numbers beyond double precision.
 */
export function parseJson(text: string, what: string): unknown {
  if (deeperThan(text, MAX_DEPTH)) throw malformed(`${what} is nested deeper than ${MAX_DEPTH} levels`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw malformed(`${what} is not valid JSON`, cause)
  }
  const flaw = findFlaw(value)
  if (flaw) throw malformed(`${what} ${flaw}`)
  return value
}

/** A `bad_request` in the words official clients expect of an unreadable payment. */
export function malformed(message: string, cause?: unknown, reason: RefusalReason = 'invalid_payload'): ServiceError {
  return new ServiceError('bad_request', message, { reason, ...(cause === undefined ? {} : { cause }) })
}

// Counted on the text, because JSON.parse itself recurses on what it is given.
function deeperThan(text: string, limit: number): boolean {
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (quoted) {
      if (char === 0x5c) at++
      else if (char === 0x22) quoted = false
    } else if (char === 0x22) quoted = true
    else if (char === 0x7b || char === 0x5b) {
      if (++depth > limit) return true
    } else if (char === 0x7d || char === 0x5d) depth--
  }
  return false
}

function findFlaw(value: unknown): string | null {
  if (typeof value === 'string') return textFlaw(value)
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'holds a number that is too large'
  if (Array.isArray(value)) return firstFlaw(value)
  if (typeof value !== 'object' || value === null) return null
  for (const key of Object.keys(value)) {
    if (key === '__proto__') return 'holds a key named "__proto__"'
    const flaw = textFlaw(key)
    if (flaw) return flaw
  }
  return firstFlaw(Object.values(value))
}

function firstFlaw(values: unknown[]): string | null {
  for (const value of values) {
    const flaw = findFlaw(value)
    if (flaw) return flaw
  }
  return null
}

function textFlaw(text: string): string | null {
  if (text.includes('\0')) return 'holds a NUL character'
  return isWellFormed(text) ? null : 'holds half of a Unicode surrogate pair'
}

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text)
}
