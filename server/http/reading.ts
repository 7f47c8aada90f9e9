import type { App } from '../services/app'
import type { Caller } from '../services/caller'

/** Requests per second that read and cost little, apart from those that pay. */
const READS_PER_SECOND = 50

/** Counts a reading request of this caller in a bucket of its own. Throws `too_many`. */
export function limitReading(app: App, { id, limits }: Pick<Caller, 'id' | 'limits'>): Promise<void> {
  return app.rateLimit(`read:${id}`, Math.max(READS_PER_SECOND, limits.requestsPerSecond))
}
