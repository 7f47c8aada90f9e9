import type { Db } from '../db/database'
import { ServiceError } from '../errors'
import { findKeys, type KeyRecord } from './key-queries'

/** Looks up a key that this process has not seen valid: a guess, or a live key after a restart. Throws `too_many`. */
export type LookUpKey = (hash: Uint8Array, address: string) => Promise<KeyRecord | null>

type Guess = { hash: Uint8Array; resolve: (record: KeyRecord | null) => void; reject: (error: unknown) => void }

/** Parallel statements, so that guesses leave connections for payments. */
const STATEMENTS = 3
const TOGETHER = 200
const OF_ADDRESS = 200
const WAITING = 10_000

/** A queue of such lookups. Addresses take turns and lookups share statements, so a flood of guesses hardly delays a live key. */
export function createKeyLookups(db: Db): LookUpKey {
  const waiting = new Map<string, Guess[]>()
  let [count, running] = [0, 0]

  function nextBatch(): Guess[] {
    const batch: Guess[] = []
    for (const [address, guesses] of waiting) {
      if (batch.length === TOGETHER) break
      const [first, ...rest] = guesses
      waiting.delete(address)
      if (first) batch.push(first)
      // Re-added at the end: each other address goes first.
      if (rest.length > 0) waiting.set(address, rest)
    }
    count -= batch.length
    return batch
  }

  async function work(): Promise<void> {
    running++
    for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) await answer(db, batch)
    running--
  }

  return (hash, address) =>
    new Promise((resolve, reject) => {
      const own = waiting.get(address) ?? []
      if (count >= WAITING || own.length >= OF_ADDRESS) return reject(tooManyGuesses())
      waiting.set(address, [...own, { hash, resolve, reject }])
      count++
      if (running < STATEMENTS) void work()
    })
}

/** Never throws: each guess gets its record or the error. */
async function answer(db: Db, batch: readonly Guess[]): Promise<void> {
  try {
    const hashes = batch.map(({ hash }) => hash)
    const records = await findKeys(db, hashes)
    for (const [at, { resolve }] of batch.entries()) resolve(records[at] ?? null)
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}

function tooManyGuesses(): ServiceError {
  return new ServiceError('too_many', 'too many unknown API keys are being tried; wait a second and try again', {
    reason: 'rate_limit_exceeded',
    retryAfterSeconds: 1,
  })
}
