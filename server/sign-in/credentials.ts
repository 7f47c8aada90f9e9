import { createHmac, timingSafeEqual } from 'node:crypto'
import { decodeJwt } from 'jose'
import { z } from 'zod'
import { sandboxCaller } from '../accounts/caller'
import { type Owner, ofSubject } from '../accounts/tenant-queries'
import type { App } from '../app'
import { isServiceError, ServiceError } from '../base/errors'
import { sha256 } from '../base/hash'
import type { Credentials } from '../http/endpoint'
import { type Scope, scopes } from '../http/openapi/credential-texts'
import { clientIp } from '../http/request'
import { decodeBase64 } from '../x402/encodings'
import { ENVELOPED, isEnvelope } from './envelope'
import { SESSION_PREFIX, walletOfSession } from './sessions'
import type { SignedMessage } from './wallets'

/** Requests with a wallet's credential per second and IP address, because checking a signature costs more than inventing one. */
const PROOFS_PER_SECOND = 20

/**
 * The wallet of a payer or agent request: by SIWE headers, which must then be valid, or by a session token as bearer. EVM addresses in
 * lower case, Solana's unchanged. Throws `unauthorized`, `too_many`, and `unavailable` while a smart wallet cannot be checked.
 */
export async function requireWallet(app: App, request: Request): Promise<string> {
  const signed = readSigned(request)
  const token = bearerOf(request)
  if (!signed && token === null) throw unauthorized(`${HEADERS}, or a session token as "Authorization: Bearer st_…"`)
  await app.rateLimit(`wallets:${sandboxCaller(clientIp(request)).id}`, PROOFS_PER_SECOND)
  return signed ? app.proveWallet(signed) : walletOfSession(app, token ?? '')
}

/**
 * The wallet that signed the message in a request's headers; no token replaces it. Throws `unauthorized`, and `unavailable` as
 * `requireWallet`.
 */
export async function requireSignature(app: App, request: Request): Promise<string> {
  const signed = readSigned(request)
  if (!signed) throw unauthorized(HEADERS)
  return app.proveWallet(signed)
}

const HEADERS = 'send X-SIWE-Message (the base64 of the signed message) and X-SIWE-Signature'
const MESSAGE_BYTES_MAX = 4_096
const ENCODED_MAX = Math.ceil(MESSAGE_BYTES_MAX / 3) * 4

function readSigned({ headers }: Request): SignedMessage | null {
  const [encoded, signature] = [headers.get('x-siwe-message'), headers.get('x-siwe-signature')]
  if (encoded === null && signature === null) return null
  if (!encoded) throw unauthorized(`X-SIWE-Message is missing; ${HEADERS}`)
  if (!signature) throw unauthorized(`X-SIWE-Signature is missing; ${HEADERS}`)
  if (isEnvelope(encoded)) throw unauthorized(`X-SIWE-Message ${ENVELOPED}`)
  if (encoded.length > ENCODED_MAX) throw unauthorized(`X-SIWE-Message is longer than ${MESSAGE_BYTES_MAX / 1_024} KB`)
  return { text: decoded(encoded), signature }
}

// Any invalid credential is a 401.
function decoded(encoded: string): string {
  try {
    return decodeBase64(encoded, 'X-SIWE-Message')
  } catch (error) {
    if (!isServiceError(error)) throw error
    throw unauthorized(`${error.message}; ${HEADERS}`)
  }
}

function unauthorized(message: string): ServiceError {
  return new ServiceError('unauthorized', message)
}

/**
 * The subject (`sub`) of a merchant's bearer JWT. Throws `unauthorized`, also for unreadable scopes, `forbidden` if its scopes of ours lack `needed`, and `unavailable` when no identity provider is configured or
 * its keys cannot be read.
 */
export async function requireMerchant({ proveMerchant }: App, request: Request, needed?: Scope): Promise<string> {
  if (!proveMerchant) {
    throw new ServiceError('unavailable', 'merchants cannot sign in: no identity provider is configured here; set OIDC_ISSUER')
  }
  const token = bearerOf(request)
  if (token === null)
    throw new ServiceError('unauthorized', 'send the JWT of the identity provider as "Authorization: Bearer <JWT>"')
  const subject = await proveMerchant(token)
  if (needed) requireScope(token, needed)
  return subject
}

// Providers write either claim, as a text or as a list.
const scopeClaim = z.union([z.string(), z.array(z.string())]).default([])
const scopeClaims = z.object({ scope: scopeClaim, scp: scopeClaim })

// A token that names none of our scopes may do all that its merchant may.
function requireScope(token: string, needed: Scope): void {
  const claims = scopeClaims.safeParse(decodeJwt(token))
  if (!claims.success) throw unauthorized('the scope and scp of the token must each be a text or a list of texts')
  const words = [claims.data.scope, claims.data.scp].flat().flatMap((text) => text.split(/\s+/))
  const named = scopes.filter((one) => words.includes(one))
  if (named.length === 0 || named.includes(needed)) return
  throw new ServiceError('forbidden', `the token is limited to ${named.join(', ')}; this needs ${needed}`)
}

/** Who has keys: a merchant by its JWT, or a wallet by a signed message or a session token. Throws as `requireMerchant` and `requireWallet`. */
async function requireOwner(app: App, request: Request, needed: Scope): Promise<Owner> {
  const signed = request.headers.has('x-siwe-message') || request.headers.has('x-siwe-signature')
  const isWallet = signed || bearerOf(request)?.startsWith(SESSION_PREFIX)
  if (isWallet) return { kind: 'wallet', id: await requireWallet(app, request) }
  return ofSubject(await requireMerchant(app, request, needed))
}

/** Whether a text is the admin key. */
export function isAdminKey({ config }: Pick<App, 'config'>, given: string): boolean {
  // Digests have one length, so the comparison takes constant time.
  return config.adminKeyHash !== null && timingSafeEqual(sha256(given), config.adminKeyHash)
}

/** A digest of the admin key for its sessions, which end when the key changes. Null without a key. */
export function adminKeyMark({ config }: Pick<App, 'config'>): string | null {
  return config.adminKeyHash && createHmac('sha256', config.sessionSecret).update(config.adminKeyHash).digest('base64url')
}

/** Requires the bearer ADMIN_KEY. Throws `unauthorized`, and `unavailable` when no such key is configured. */
export function requireAdmin({ config }: App, request: Request): void {
  if (config.adminKeyHash === null) {
    throw new ServiceError('unavailable', 'administration is not configured on this facilitator; set ADMIN_KEY')
  }
  if (isAdminKey({ config }, bearerOf(request) ?? '')) return
  throw new ServiceError('unauthorized', 'send the admin key as "Authorization: Bearer <ADMIN_KEY>"')
}

const BEARER = /^Bearer +(\S+) *$/i

/** The token of `Authorization: Bearer <token>`; null without one. */
function bearerOf(request: Request): string | null {
  return BEARER.exec(request.headers.get('authorization') ?? '')?.[1] ?? null
}

/** A wallet, by a signed message or by a session token. */
export const walletCredentials: Credentials<string> = { names: ['siwe', 'session'], prove: requireWallet }

/** A merchant, by a JWT of the identity provider that allows this. */
export const merchantCredentials = (needed: Scope): Credentials<string> => ({
  names: ['merchant'],
  scopes: [needed],
  prove: (app, request) => requireMerchant(app, request, needed),
})

/** Who has keys: a merchant by a JWT that allows this, or a wallet. */
export const ownerCredentials = (needed: Scope): Credentials<Owner> => ({
  names: ['merchant', 'siwe', 'session'],
  scopes: [needed],
  prove: (app, request) => requireOwner(app, request, needed),
})

/** The administrator. */
export const adminCredentials: Credentials<void> = { names: ['admin'], prove: requireAdmin }
