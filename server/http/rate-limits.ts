import { type Caller, ipSubject } from '../accounts/caller'
import type { App } from '../app'
import { clientIp } from './request'

/** Requests per second that read and cost little, apart from those that pay. */
const READS_PER_SECOND = 50
/** Requests per second of one address on the routes of those who sign in. */
const SIGNED_IN_PER_SECOND = 20

/** Counts a reading request of this caller in a bucket of its own. Throws `too_many`. */
export function limitReading(app: App, { id, limits }: Pick<Caller, 'id' | 'limits'>): Promise<void> {
  return app.rateLimit(`read:${id}`, Math.max(READS_PER_SECOND, limits.requestsPerSecond))
}

/** Counts a request to history, analytics or settings by its address, before anybody looks at its credential. Throws `too_many`. */
export function limitByAddress(app: App, request: Request): Promise<void> {
  return app.rateLimit(`signed-in:${ipSubject(clientIp(request))}`, SIGNED_IN_PER_SECOND)
}
