import { isServiceError } from '../base/errors'
import { errorCatalog } from '../http/documented-codes'
import { readTransaction } from '../x402/addresses'
import { decodeBase64 } from '../x402/encodings'
import { parseJson, plainText } from '../x402/json'
import { COPY_ALL, cutOffRefusal, readBeforeCut, saysCutOff } from './cut-off'

export type Json = Record<string, unknown>

/** The most characters of a name or a URL that an explanation repeats. */
export const NAME_MAX = 300

/** A 402 response by where each half was found. `whole`: its headers were pasted too, so a half that is null is not there. */
export type Offer = { header: Json | null; body: Json | null; whole: boolean }

/** What was pasted, read as far as its form allows. */
export type Pasted =
  | { kind: 'payment_request'; body: Json }
  | { kind: 'payment'; payload: Json; offer: Offer }
  | { kind: 'payment_required'; offer: Offer }
  | { kind: 'payment_requirements'; requirements: Json }
  | { kind: 'payment_response' | 'verify_response'; response: Json }
  | { kind: 'settlement'; named: string }
  | { kind: 'url'; url: string }
  | { kind: 'reason'; code: string }
  /** `read`: what stands before the cut of a text that lost its end. */
  | { kind: 'unknown'; problem: string; remedy?: string; read?: Json }

export type Kind = Pasted['kind']

const NOTHING_OFFERED: Offer = { header: null, body: null, whole: false }
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
// As `curl -i` and `curl -v` print it.
const WHOLE_ANSWER = /^(?:< )?HTTP\/[\d.]+ \d{3}/m
const BARE_URL = /^https?:\/\/\S+$/i

/** Recognizes a text or a JSON object in any encoding. Never throws: what cannot be read has the kind `unknown` and says where. */
export function recognize(input: unknown): Pasted {
  try {
    return typeof input === 'string' ? inText(input.trim()) : inValue(input, 'body')
  } catch (error) {
    if (!isServiceError(error)) throw error
    const problem = unknown(`${error.message}${placeOf(error.cause)}`)
    if (!saysCutOff(error)) return problem
    const read = readBeforeCut(error)
    return { ...problem, remedy: COPY_ALL, ...(isObject(read) ? { read } : {}) }
  }
}

function inText(text: string): Pasted {
  if (text === '') return unknown('the input is empty')
  if (BARE_URL.test(text)) return { kind: 'url', url: text }
  if (UUID.test(text)) return { kind: 'settlement', named: text }
  if (/^[{["]/.test(text)) return inJson(text, 'body')
  if (isCode(text)) return { kind: 'reason', code: text }
  const parts = headersIn(text)
  const whole = WHOLE_ANSWER.test(text)
  if (whole || parts.size > 0) return inHeaders(parts, bodyIn(text), whole)
  // Base64 of an object begins with "ey" or "ew", which is base58 too.
  if (!/^e[yw]/.test(text) && readTransaction(text) !== null) return { kind: 'settlement', named: text }
  if (/[^\w+/=-]/.test(text)) return unknown('the input is not JSON, a header, an ID or base64')
  return inDecoded(decoded(text, 'the input', 'the decoded input'), 'header')
}

const codes: ReadonlySet<string> = new Set(errorCatalog.map(({ code }) => code))
const isCode = (text: string): boolean => codes.has(text)

/** The JSON of a text, decoded if it is base64. Throws `bad_request`, which names a text that lost its end as such. */
function decoded(text: string, what: string, json: string): unknown {
  const isJson = /^[{["]/.test(text)
  try {
    return isJson ? parseJson(text, what) : parseJson(decodeBase64(text, what), json)
  } catch (error) {
    // What is base64 was the value of a header.
    throw (isServiceError(error) && cutOffRefusal(text, isJson ? what : 'the header')) || error
  }
}

type Source = 'header' | 'body'

const inJson = (text: string, from: Source): Pasted => inDecoded(decoded(text, 'the input', 'the input'), from)

function inDecoded(value: unknown, from: Source): Pasted {
  return typeof value === 'string' ? inText(value.trim()) : inValue(value, from)
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

function inValue(value: unknown, from: Source): Pasted {
  if (!isObject(value)) return unknown('the input is JSON, but not an object')
  const has = (name: string) => value[name] !== undefined
  if (has('paymentPayload') || has('paymentHeader') || has('paymentRequirements')) return { kind: 'payment_request', body: value }
  if (has('accepts')) return { kind: 'payment_required', offer: { ...NOTHING_OFFERED, [from]: value } }
  if (has('payload')) return { kind: 'payment', payload: value, offer: NOTHING_OFFERED }
  if (has('isValid')) return { kind: 'verify_response', response: value }
  if (has('success')) return { kind: 'payment_response', response: value }
  if (has('payTo')) return { kind: 'payment_requirements', requirements: value }
  const named = Object.entries(value).flatMap(([name, text]) => (isPart(name) && typeof text === 'string' ? [[name, text]] : []))
  if (named.length > 0) return inHeaders(headersIn(named.map((pair) => pair.join(': ')).join('\n')), null, false)
  const names = Object.keys(value).slice(0, 5)
  const fields = plainText(names.join(', '), NAME_MAX)
  return unknown(fields === '' ? 'the object is empty' : `no x402 object has these fields: ${fields}`)
}

/** The headers of x402 by their meaning. */
const PARTS = {
  'payment-required': 'offer',
  'payment-signature': 'payment',
  'x-payment': 'payment',
  'payment-response': 'response',
  'x-payment-response': 'response',
} as const satisfies Record<string, string>

type Part = (typeof PARTS)[keyof typeof PARTS]

const isPart = (name: string): boolean => Object.hasOwn(PARTS, name.toLowerCase())

// `curl -v` writes "<" or ">" before a header.
const BEFORE_HEADER = /^[<>]?[ \t]*/

// Line by line, without searching: a text of many lines must not cost more than its length.
function headersIn(text: string): Map<Part, string> {
  const found = text.split(/\r?\n/).flatMap((line) => {
    const header = line.replace(BEFORE_HEADER, '')
    const colon = header.indexOf(':')
    if (colon < 0) return []
    const name = header.slice(0, colon).trim().toLowerCase()
    const part = Object.entries(PARTS).find(([known]) => known === name)?.[1]
    const value = header.slice(colon + 1).trim()
    return part && value ? [[part, value] as const] : []
  })
  return new Map(found)
}

/** The JSON after the headers of an answer; null without one. */
function bodyIn(text: string): Json | null {
  const start = text.startsWith('{') ? 0 : text.indexOf('\n{') + 1
  const json = text[start] === '{' ? text.slice(start, text.lastIndexOf('}') + 1) : ''
  const value = json === '' ? null : parseJson(json, 'the body after the headers')
  return isObject(value) ? value : null
}

function inHeaders(parts: Map<Part, string>, body: Json | null, whole: boolean): Pasted {
  const valueIn = (part: Part): Json | null => {
    const text = parts.get(part)
    if (text === undefined) return null
    const what = `the header with the ${part}`
    const value = decoded(text, what, what)
    return isObject(value) ? value : {}
  }
  const offer = { header: valueIn('offer'), body: body?.accepts === undefined ? null : body, whole }
  const payload = valueIn('payment')
  if (payload) return { kind: 'payment', payload, offer }
  if (offer.header || offer.body) return { kind: 'payment_required', offer }
  const response = valueIn('response')
  if (response) return { kind: 'payment_response', response }
  return body ? inValue(body, 'body') : unknown('the answer has neither a header of x402 nor a JSON body')
}

const unknown = (problem: string) => ({ kind: 'unknown', problem }) as const

// The parser's own message quotes the input; only the number is taken.
function placeOf(cause: unknown): string {
  const at = cause instanceof Error ? /position (\d+)/.exec(cause.message)?.[1] : undefined
  return at === undefined ? '' : `, at character ${at}`
}
