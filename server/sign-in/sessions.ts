import { randomBytes } from 'node:crypto'
import { type App, unixNow } from '../app'
import { ServiceError } from '../base/errors'
import { sha256 } from '../base/hash'
import { findSession, insertSession } from './session-queries'

/** A session as its wallet gets it: only this response contains the token; `expiresAt` in Unix seconds. */
type OpenedSession = { token: string; expiresAt: number }

const LIFETIME_SECONDS = 900
/** How a session token begins. */
export const SESSION_PREFIX = 'st_'

const FORM = /^st_[A-Za-z0-9_-]{43}$/

/** Opens a session of fifteen minutes for a wallet that has just signed in. */
export async function openSession(app: App, wallet: string): Promise<OpenedSession> {
  const token = `${SESSION_PREFIX}${randomBytes(32).toString('base64url')}`
  // Whole seconds, so that it ends exactly at `expiresAt`.
  const expiresAt = Number(unixNow(app)) + LIFETIME_SECONDS
  await insertSession(app.db, { tokenHash: sha256(token), wallet, expiresAt: new Date(expiresAt * 1_000) })
  return { token, expiresAt }
}

/** The wallet of a session token, EVM addresses in lower case. Throws `unauthorized`. */
export async function walletOfSession(app: App, token: string): Promise<string> {
  if (!FORM.test(token)) {
    throw new ServiceError('unauthorized', `the bearer token is not a session token (st_…); ${HOW}`)
  }
  const wallet = await findSession(app.db, sha256(token), app.now())
  if (wallet === null) throw new ServiceError('unauthorized', `the session token is unknown or its 15 minutes are over; ${HOW}`)
  return wallet
}

const HOW = 'get one with POST /api/v1/auth/siwe, X-SIWE-Message and X-SIWE-Signature'
