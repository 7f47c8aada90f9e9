import { z } from 'zod'
import { type RefusalReason, ServiceError } from '../base/errors'

const MAX_DEPTH = 16

/**
 * Parses untrusted JSON. Throws `bad_request` for what breaks parsers or databases later: nesting over 16 levels, `__proto__` keys, NUL
 * characters, lone surrogates, numbers beyond double precision.
 */
export function parseJson(text: string, what: string): unknown {
  if (hasMoreBrackets(text, MAX_DEPTH) && deeperThan(text, MAX_DEPTH))
    throw malformed(`${what} is nested deeper than ${MAX_DEPTH} levels`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw malformed(`${what} is not valid JSON`, cause)
  }
  // Without escapes the texts of a well-formed text are well-formed, and JSON allows no bare control characters.
  const fault = text.includes('\\u') || text.includes('__proto__') || !isWellFormed(text) ? findFault(value) : numberFault(value)
  if (fault) throw malformed(`${what} ${fault}`)
  return value
}

/** A `bad_request` with the code that official clients expect for an unreadable payment. */
export function malformed(message: string, cause?: unknown, reason: RefusalReason = 'invalid_payload'): ServiceError {
  return new ServiceError('bad_request', message, { reason, ...(cause === undefined ? {} : { cause }) })
}

// Few brackets mean little nesting. Brackets inside strings only raise the count.
function hasMoreBrackets(text: string, most: number): boolean {
  let found = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++found > most) return true
    }
  }
  return false
}

// Counted on the text, because JSON.parse itself recurses.
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

function numberFault(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'holds a number that is too large'
  if (typeof value !== 'object' || value === null) return null
  for (const inner of Object.values(value)) {
    const fault = numberFault(inner)
    if (fault) return fault
  }
  return null
}

function findFault(value: unknown): string | null {
  if (typeof value === 'string') return textFault(value)
  if (typeof value === 'number') return numberFault(value)
  if (Array.isArray(value)) return firstFault(value)
  if (typeof value !== 'object' || value === null) return null
  for (const key of Object.keys(value)) {
    if (key === '__proto__') return 'holds a key named "__proto__"'
    const fault = textFault(key)
    if (fault) return fault
  }
  return firstFault(Object.values(value))
}

function firstFault(values: unknown[]): string | null {
  for (const value of values) {
    const fault = findFault(value)
    if (fault) return fault
  }
  return null
}

function textFault(text: string): string | null {
  if (text.includes('\0')) return 'holds a NUL character'
  return isWellFormed(text) ? null : 'holds half of a Unicode surrogate pair'
}

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text)
}

// Control characters, and those that reorder, hide or tag text: an agent must not read what a person cannot see.
const BLANKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g
const UNSEEN = /[\p{Cc}\p{Cf}\u{e0000}-\u{e0fff}]/gu

/** Untrusted text on one line, without invisible characters, at most `most` characters long. */
export function plainText(text: string, most: number): string {
  const plain = text.replace(BLANKS, ' ').replace(UNSEEN, '').trim()
  // By code points: half a surrogate pair is not text.
  return plain.length > most ? [...plain].slice(0, most).join('') : plain
}

/** What is wrong with untrusted JSON: nested too deep, or too large when written. */
type JsonFault = 'too deep' | 'too large'

/** Untrusted JSON with plain texts, or what is wrong with it. Keys lose invisible characters only. */
export function plainJson(value: unknown, most: { depth: number; bytes: number }): { json: unknown } | { fault: JsonFault } {
  if (nestsDeeperThan(value, most.depth)) return { fault: 'too deep' }
  const json = plainValue(value)
  const written = new TextEncoder().encode(JSON.stringify(json, numbersInDigits) ?? '').length
  return written > most.bytes ? { fault: 'too large' } : { json }
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

function nestsDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels < 0 || Object.values(value).some((inner) => nestsDeeperThan(inner, levels - 1))
}

/** The message for a missing required field. */
export const MISSING = 'is missing'

/** The first invalid field, with what was expected. */
export function fieldWrongIn({ issues: [issue] }: z.ZodError): string {
  const field = issue?.path.join('.') || 'the body'
  if (issue?.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: there is no such field`
  return issue?.message === MISSING ? `${field} is missing` : `${field} ${issue?.message ?? 'is not valid'}`
}

/** A text without NUL, which the database cannot store. */
export const storable = z.string().refine((text) => !text.includes('\0'), 'holds a NUL character')
