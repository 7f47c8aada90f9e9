import type { Db } from '../db/database'
import { freeEffects, giveUpEffect, type OutboxKind, postponeEffect, type TakenEffect, takeEffects } from '../db/outbox'
import type { Failpoint } from '../ledger/failpoints'
import { type Loop, startLoop } from '../ledger/loop'
import type { Log } from '../log'

/**
 * Finds out what an effect has to write. What it returns writes it, in the one statement that marks the effect as done. Throws when it has
 * to be tried again.
 */
export type Effect = (key: string, data: unknown) => Promise<(effectId: string) => Promise<unknown>>

export type EffectsOptions = {
  db: Db
  kind: OutboxKind
  effect: Effect
  /** How many are under way at once. */
  atOnce: number
  /** No other process can use this database: what an earlier one had in hand is free. */
  exclusive: boolean
  failpoint: Failpoint
  log: Log
  pollMs?: number
}

const POLL_MS = 500
/** More than anything an effect does may take: then whoever took it is gone. */
const LEASE_MS = 60_000
const FIRST_RETRY_MS = 2_000
const LAST_RETRY_MS = 3_600_000
/** An effect is given up after a day, but not because nobody ran for a day. */
const TRIES_MIN = 8

/**
 * Starts doing the effects of a kind, here beside other instances: each exactly once, tried again with growing pauses, given up loudly after a
 * day. One that fails holds up no other.
 */
export function startEffects(options: EffectsOptions): Loop {
  const { db, kind, effect, atOnce, failpoint, log, pollMs = POLL_MS } = options
  let toFree = options.exclusive

  async function round(): Promise<number> {
    if (toFree) await freeEffects(db, kind)
    toFree = false
    const taken = await takeEffects(db, kind, { limit: atOnce, leaseMs: LEASE_MS })
    if (taken.length === 0) return pollMs
    failpoint('effect taken')
    const ends = await Promise.all(taken.map(attempt))
    // Nothing works just now: the others would only wear their tries out.
    return taken.length === atOnce && ends.includes('done') ? 0 : pollMs
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
      log.error(
        { err: error, effectId: id, kind, tries },
        'an effect is given up: what should have followed a settlement does not',
      )
      return giveUpEffect(db, id)
    }
    log.warn({ err: error, effectId: id, kind, tries }, 'an effect failed and is tried again later')
    await postponeEffect(db, id, retryMs(tries))
  }

  return startLoop(round, (error) => log.error({ err: error, kind }, 'effects cannot be done now'), 1_000)
}

/** The pause after so many tries: twice as long each time, up to an hour, and never the same for all. */
export function retryMs(tries: number, random: () => number = Math.random): number {
  const pause = Math.min(FIRST_RETRY_MS * 2 ** (tries - 1), LAST_RETRY_MS)
  return Math.round(pause * (0.5 + random() / 2))
}
