import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { malformed } from '../x402/json'
import { isUuid } from './request'

const LIMIT_MAX = 100
const NOT_A_LIMIT = 'must be a whole number from 1 to 100'

/** Converts a query value of digits to a number; leaves any other text unchanged. */
export const fromDigits = (written: unknown): unknown =>
  typeof written === 'string' && /^\d{1,9}$/.test(written) ? Number(written) : written

/** The `limit` of a query, in rows; larger values become 100. */
export const pageLimit = (usual: number) => {
  const rows = z.int(NOT_A_LIMIT).min(1, NOT_A_LIMIT)
  return z
    .preprocess(fromDigits, rows.default(usual).meta({ examples: [usual] }))
    .transform((limit) => Math.min(limit, LIMIT_MAX))
    .meta({ description: '1 to 100; larger values become 100.' })
}

/** The `cursor` of a list that continues after an id; null at the beginning. */
export const idCursor = z
  .string()
  .meta({ examples: ['MDE5YWIx…'] })
  .transform((written, context) => {
    const id = Buffer.from(written, 'base64url').toString()
    if (written === '') return null
    if (!isUuid(id)) context.addIssue('is not a cursor of this list; omit it to start from the beginning')
    return id
  })
  .optional()
  .meta({ description: 'The `cursor` of the previous page.' })

/** An id as a cursor; empty without an id. */
export function writeCursor(id: string | null): string {
  return id === null ? '' : Buffer.from(id).toString('base64url')
}

// The first byte of a signed cursor: other versions refuse it.
const VERSION = 1
const MAC_BYTES = 16
const LENGTH_MAX = 8_192

/** Encodes and signs a value for this context (route, subject, filters). */
export function seal(key: Uint8Array, context: string, value: object): string {
  const body = Buffer.concat([Buffer.of(VERSION), Buffer.from(JSON.stringify(value))])
  return Buffer.concat([macOf(key, context, body), body]).toString('base64url')
}

/** The value that `seal` signed for this context. Throws `bad_request` for any other text. */
export function readSigned(key: Uint8Array, context: string, written: string): unknown {
  const bytes = Buffer.from(written.slice(0, LENGTH_MAX), 'base64url')
  const [mac, body] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)]
  const genuine = mac.length === MAC_BYTES && timingSafeEqual(mac, macOf(key, context, body))
  // Several base64url texts decode to the same bytes; only one is canonical.
  if (!genuine || body[0] !== VERSION || bytes.toString('base64url') !== written) {
    throw malformed('cursor does not belong to this list, reader and filters; omit it to start from the beginning')
  }
  return JSON.parse(body.subarray(1).toString())
}

function macOf(key: Uint8Array, context: string, body: Uint8Array): Buffer {
  // The length separates the context from the body.
  const bound = createHmac('sha256', key).update(`${Buffer.byteLength(context)}:${context}`)
  return bound.update(body).digest().subarray(0, MAC_BYTES)
}
