import { timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../errors'
import type { App } from '../services/app'
import { sha256 } from '../services/keys'
import { bearerOf } from './bearer'

/** Lets the bearer of ADMIN_KEY pass. Throws `unauthorized`, and `unavailable` where no such key is configured. */
export function requireAdmin({ config }: App, request: Request): void {
  const expected = config.adminKeyHash
  if (!expected) {
    throw new ServiceError('unavailable', 'administration is not configured on this facilitator; set ADMIN_KEY')
  }
  const given = bearerOf(request) ?? ''
  // Digests of one length, so that the comparison takes the same time whatever was given.
  if (timingSafeEqual(sha256(given), expected)) return
  throw new ServiceError('unauthorized', 'send the admin key as "Authorization: Bearer <ADMIN_KEY>"')
}
