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
