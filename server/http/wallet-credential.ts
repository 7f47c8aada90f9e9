import { isServiceError, ServiceError } from '../errors'
import type { SignedMessage } from '../identity/wallets'
import type { App } from '../services/app'
import { visitor } from '../services/caller'
import { walletOfSession } from '../services/sessions'
import { decodeBase64 } from '../x402/base64'
import { bearerOf } from './bearer'
import { clientIp } from './request'

/** Requests with a wallet's credential, per second and address: a signature costs more to check than to make up. */
const PROOFS_PER_SECOND = 20

/**
 * The wallet that a payer or agent route is asked for: by SIWE headers, which then must hold, or by a session token as bearer. EVM
 * addresses in lower case, Solana's as they are. Throws `unauthorized`, `too_many`, and `unavailable` while a smart wallet cannot be asked.
 */
export async function requireWallet(app: App, request: Request): Promise<string> {
  const signed = readSigned(request)
  const token = bearerOf(request)
  if (!signed && token === null) throw unauthorized(`${HEADERS}, or a session token as "Authorization: Bearer st_…"`)
  await app.rateLimit(`wallets:${visitor(clientIp(request)).id}`, PROOFS_PER_SECOND)
  return signed ? app.proveWallet(signed) : walletOfSession(app, token ?? '')
}

/** The wallet that signed the message in a request's headers; no token stands for it. Throws `unauthorized`, and `unavailable` as `requireWallet`. */
export async function requireSignature(app: App, request: Request): Promise<string> {
  const signed = readSigned(request)
  if (!signed) throw unauthorized(HEADERS)
  return app.proveWallet(signed)
}

const HEADERS = 'send X-SIWE-Message (the base64 of the signed message) and X-SIWE-Signature'
const MESSAGE_BYTES_MAX = 4_096
const SPELLED_MAX = Math.ceil(MESSAGE_BYTES_MAX / 3) * 4

function readSigned({ headers }: Request): SignedMessage | null {
  const [spelled, signature] = [headers.get('x-siwe-message'), headers.get('x-siwe-signature')]
  if (spelled === null && signature === null) return null
  if (!spelled) throw unauthorized(`X-SIWE-Message is missing; ${HEADERS}`)
  if (!signature) throw unauthorized(`X-SIWE-Signature is missing; ${HEADERS}`)
  if (spelled.length > SPELLED_MAX) throw unauthorized(`X-SIWE-Message is longer than ${MESSAGE_BYTES_MAX / 1_024} KB`)
  return { text: decoded(spelled), signature }
}

// What is wrong with a credential is a 401, here as everywhere.
function decoded(spelled: string): string {
  try {
    return decodeBase64(spelled, 'X-SIWE-Message')
  } catch (error) {
    if (!isServiceError(error)) throw error
    throw unauthorized(`${error.message}; ${HEADERS}`)
  }
}

function unauthorized(message: string): ServiceError {
  return new ServiceError('unauthorized', message)
}
