import { ServiceError } from '../errors'
import { type KeyOwner, type KeyRate, nextKeyAt, takeKeyPlace } from '../store/key-rate'
import type { App } from './app'

/** How many keys a merchant or an agent may make or rotate. Counted in the database, over all instances. */
export const KEY_RATE = { hour: 20, day: 100 } as const satisfies KeyRate

/** Counts one more key that an owner makes. Throws `too_many` beyond the rate. */
export async function countKey(app: App, owner: KeyOwner): Promise<void> {
  if (await takeKeyPlace(app.db, owner, KEY_RATE)) return
  throw tooManyKeys((await nextKeyAt(app.db, owner, KEY_RATE)) ?? new Date())
}

/** Throws `too_many` for an owner that made too many keys. */
export async function requireKeyRate(app: App, owner: KeyOwner): Promise<void> {
  const next = await nextKeyAt(app.db, owner, KEY_RATE)
  if (next !== null) throw tooManyKeys(next)
}

function tooManyKeys(next: Date): ServiceError {
  const at = new Date(Math.ceil(next.getTime() / 1_000) * 1_000)
  const most = `you can make ${KEY_RATE.hour} keys an hour and ${KEY_RATE.day} a day`
  return new ServiceError('too_many', `${most}; make the next one at ${at.toISOString().replace('.000Z', 'Z')}`, {
    reason: 'rate_limit_exceeded',
    retryAfterSeconds: Math.max(1, Math.ceil((at.getTime() - Date.now()) / 1_000)),
  })
}
