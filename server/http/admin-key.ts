import { timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../errors'
import type { App } from '../services/app'
import { sha256 } from '../services/keys'
import { bearerOf } from './bearer'

/** Whether a text is the key of the administrator. */
export function isAdminKey({ config }: Pick<App, 'config'>, given: string): boolean {
  // Digests of one length, so that the comparison takes the same time whatever was given.
  return config.adminKeyHash !== null && timingSafeEqual(sha256(given), config.adminKeyHash)
}

/** Lets the bearer of ADMIN_KEY pass. Throws `unauthorized`, and `unavailable` where no such key is configured. */
export function requireAdmin({ config }: App, request: Request): void {
  if (config.adminKeyHash === null) {
    throw new ServiceError('unavailable', 'administration is not configured on this facilitator; set ADMIN_KEY')
  }
  if (isAdminKey({ config }, bearerOf(request) ?? '')) return
  throw new ServiceError('unauthorized', 'send the admin key as "Authorization: Bearer <ADMIN_KEY>"')
}
