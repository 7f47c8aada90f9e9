import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { ServiceError } from '../base/errors'
import type { Log } from '../base/log'

type IssuerKeysOptions = { read: () => Promise<JSONWebKeySet>; now: () => Date; log: Log }

/** How long a read key list is fresh. */
const FRESH_MS = 600_000
/** How long known keys serve while the issuer is down. */
const FALLBACK_MS = 24 * 3_600_000
/** The minimum time between reads, for tokens with invented keys and for an issuer that is down. */
const COOL_DOWN_MS = 5_000

/**
 * The keys of an identity provider: read with the first token, cached, and read again when a token names an unknown key, one read at a
 * time. While the issuer is down the known keys serve for a day. Throws jose's errors for a token without a key of the issuer, and
 * `unavailable` when the keys cannot be read.
 */
export function createIssuerKeys({ read, now, log }: IssuerKeysOptions): JWTVerifyGetKey {
  let known: { find: JWTVerifyGetKey; readAt: number } | null = null
  let last: { at: number; failure: unknown } = { at: Number.NEGATIVE_INFINITY, failure: undefined }
  let inFlight: Promise<void> | null = null
  const age = () => (known ? now().getTime() - known.readAt : Number.POSITIVE_INFINITY)

  async function readOnce(): Promise<void> {
    try {
      known = { find: createLocalJWKSet(await read()), readAt: now().getTime() }
      last = { at: now().getTime(), failure: undefined }
    } catch (error) {
      log.warn({ err: error }, 'the keys of the identity provider cannot be read')
      last = { at: now().getTime(), failure: error }
    }
  }

  /** Never rejects: the result is in `last`. */
  function refresh(): Promise<void> {
    if (inFlight) return inFlight
    if (now().getTime() - last.at < COOL_DOWN_MS) return Promise.resolve()
    inFlight = readOnce().finally(() => {
      inFlight = null
    })
    return inFlight
  }

  return async (header, token) => {
    // A token waits for a refresh of an old list, but not while the issuer is down.
    const reading = age() > FRESH_MS ? refresh() : undefined
    if (last.failure === undefined || age() > FALLBACK_MS) await reading
    if (!known || age() > FALLBACK_MS) throw away(last.failure)
    try {
      return await known.find(header, token)
    } catch (error) {
      if (!isNoMatch(error)) throw error
      await refresh()
      if (last.failure !== undefined) throw away(last.failure)
      return known.find(header, token)
    }
  }
}

function isNoMatch(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === errors.JWKSNoMatchingKey.code
}

function away(cause: unknown): ServiceError {
  const message =
    'the keys of the identity provider cannot be read at the moment, so this token cannot be judged; try again shortly'
  return new ServiceError('unavailable', message, { retryAfterSeconds: 5, cause })
}
