import type { Failpoint } from '../base/failpoints'
import type { Log } from '../base/log'
import { createPauses, type Loop, startLoop } from '../base/loop'
import type { Db } from '../db/database'
import { freeEffects, giveUpEffect, type OutboxKind, postponeEffect, type TakenEffect, takeEffects } from '../db/outbox'

/** Prepares an effect. The returned statement writes it and marks it as done at once. Throws when it must be retried. */
export type Effect = (key: string, data: unknown) => Promise<(effectId: string) => Promise<unknown>>

type EffectsOptions = {
  db: Db
  kind: OutboxKind
  effect: Effect
  /** The maximum number in flight. */
  atOnce: number
  /** This process alone uses the database: effects of an earlier process are free. */
  exclusive: boolean
  failpoint: Failpoint
  log: Log
  pollMs?: number
}

/** A loop that asks for work seldom while there is none. `expect`: work may come, so it asks as often as usual again. */
export type EffectsLoop = Loop & { expect(): void }

const POLL_MS = 500
const IDLE_MS = 2_000
/** Longer than any effect takes: after it the worker that took the effect is gone. */
const LEASE_MS = 60_000
const FIRST_RETRY_MS = 2_000
const LAST_RETRY_MS = 3_600_000
/** An effect is given up after a day, but not because no process ran for a day. */
const TRIES_MIN = 8

/**
 * Starts running the effects of a kind, beside other instances: each exactly once, retried with growing pauses, given up with an error
 * log after a day. A failed one does not hold up others.
 */
export function startEffects(options: EffectsOptions): EffectsLoop {
  const { db, kind, effect, atOnce, failpoint, log, pollMs = POLL_MS } = options
  const pauses = createPauses({ usualMs: pollMs, idleMs: IDLE_MS })
  let toFree = options.exclusive

  async function round(): Promise<number> {
    if (toFree) await freeEffects(db, kind)
    toFree = false
    const taken = await takeEffects(db, kind, { limit: atOnce, leaseMs: LEASE_MS })
    const pause = pauses.after(taken.length > 0)
    if (taken.length === 0) return pause
    failpoint('effect taken')
    const ends = await Promise.all(taken.map(attempt))
    // A common cause: further tries would fail too.
    return taken.length === atOnce && ends.includes('done') ? 0 : pause
  }

  async function attempt(taken: TakenEffect): Promise<'done' | 'failed'> {
    try {
      const write = await effect(taken.key, taken.data)
      failpoint('effect ready')
      await write(taken.id)
      failpoint('effect written')
      return 'done'
    } catch (error) {
      await afterFailure(taken, error)
      return 'failed'
    }
  }

  async function afterFailure({ id, tries, old }: TakenEffect, error: unknown): Promise<void> {
    if (old && tries >= TRIES_MIN) {
      log.error({ err: error, effectId: id, kind, tries }, 'an effect is given up: a follow-up of a settlement is missing')
      return giveUpEffect(db, id)
    }
    log.warn({ err: error, effectId: id, kind, tries }, 'an effect failed; it is retried later')
    await postponeEffect(db, id, retryMs(tries))
  }

  const loop = startLoop(round, (error) => log.error({ err: error, kind }, 'effects cannot run now'), 1_000)
  return { ...loop, expect: () => pauses.expect(loop) }
}

/** The pause after so many tries: doubled each time, up to an hour, with jitter. */
export function retryMs(tries: number, random: () => number = Math.random): number {
  const pause = Math.min(FIRST_RETRY_MS * 2 ** (tries - 1), LAST_RETRY_MS)
  return Math.round(pause * (0.5 + random() / 2))
}
