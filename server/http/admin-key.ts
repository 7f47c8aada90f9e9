import { createHmac, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../errors'
import type { App } from '../services/app'
import { sha256 } from '../services/keys'
import { bearerOf } from './bearer'

/** Whether a text is the key of the administrator. */
export function isAdminKey({ config }: Pick<App, 'config'>, given: string): boolean {
  // Digests of one length, so that the comparison takes the same time whatever was given.
  return config.adminKeyHash !== null && timingSafeEqual(sha256(given), config.adminKeyHash)
}

/** What a session of the holder of the admin key carries, so that it ends with that key. Null when there is none. */
export function adminKeyMark({ config }: Pick<App, 'config'>): string | null {
  return config.adminKeyHash && createHmac('sha256', config.sessionSecret).update(config.adminKeyHash).digest('base64url')
}

/** Lets the bearer of ADMIN_KEY pass. Throws `unauthorized`, and `unavailable` where no such key is configured. */
export function requireAdmin({ config }: App, request: Request): void {
  if (config.adminKeyHash === null) {
    throw new ServiceError('unavailable', 'administration is not configured on this facilitator; set ADMIN_KEY')
  }
  if (isAdminKey({ config }, bearerOf(request) ?? '')) return
  throw new ServiceError('unauthorized', 'send the admin key as "Authorization: Bearer <ADMIN_KEY>"')
}
