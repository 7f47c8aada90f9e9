import { createHmac, timingSafeEqual } from 'node:crypto'
import { malformed } from '../x402/json'
import { isUuid } from './request'

/** Which part of a list is asked for: so many, after this id. */
export type Page = { limit: number; cursor: string | null }

const LIMIT_MAX = 100
const LIMIT_USUAL = 50

/** The `limit` and `cursor` of a query. Throws `bad_request` for what is no page. */
export function readPage(query: URLSearchParams): Page {
  return { limit: readLimit(query), cursor: readCursor(query.get('cursor')) }
}

/** The `limit` of a query. Above 100 is 100; throws `bad_request` for what is no number of rows. */
export function readLimit(query: URLSearchParams): number {
  const limit = query.get('limit') ?? String(LIMIT_USUAL)
  if (!/^\d{1,9}$/.test(limit) || Number(limit) < 1) throw malformed('limit must be a whole number from 1 to 100')
  return Math.min(Number(limit), LIMIT_MAX)
}

/** A text of a query; null where there is none. Throws `bad_request` for the character that no database keeps. */
export function readText(query: URLSearchParams, name: string): string | null {
  const text = query.get(name)
  if (text?.includes('\0')) throw malformed(`${name} holds a NUL character`)
  return text
}

/** An id as a cursor; nothing where there is none yet. */
export function writeCursor(id: string | null): string {
  return id === null ? '' : Buffer.from(id).toString('base64url')
}

function readCursor(written: string | null): string | null {
  if (!written) return null
  const id = Buffer.from(written, 'base64url').toString()
  if (isUuid(id)) return id
  throw malformed('cursor is not one that this list gave; leave it out to start from the beginning')
}

// The first byte of the sealed bytes: what a later version does not understand it refuses.
const VERSION = 1
const MAC_BYTES = 16
const LENGTH_MAX = 8_192

/** Seals a value into a text that says it to us alone, and only in this context (route, subject, filters). */
export function seal(key: Uint8Array, context: string, value: object): string {
  const body = Buffer.concat([Buffer.of(VERSION), Buffer.from(JSON.stringify(value))])
  return Buffer.concat([macOf(key, context, body), body]).toString('base64url')
}

/** What was sealed in this context. Throws `bad_request` for anything else: nobody makes one up, alters one or brings another's. */
export function readSigned(key: Uint8Array, context: string, written: string): unknown {
  const bytes = Buffer.from(written.slice(0, LENGTH_MAX), 'base64url')
  const [mac, body] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)]
  const genuine = mac.length === MAC_BYTES && timingSafeEqual(mac, macOf(key, context, body))
  // Several texts decode to the same bytes; one of them is ours.
  if (!genuine || body[0] !== VERSION || bytes.toString('base64url') !== written) {
    throw malformed('cursor is not one that this list gave to this reader with these filters; leave it out to start anew')
  }
  return JSON.parse(body.subarray(1).toString())
}

function macOf(key: Uint8Array, context: string, body: Uint8Array): Buffer {
  // The length keeps a context and a body apart.
  const bound = createHmac('sha256', key).update(`${Buffer.byteLength(context)}:${context}`)
  return bound.update(body).digest().subarray(0, MAC_BYTES)
}
