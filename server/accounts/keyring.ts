import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { v7 as uuidv7 } from 'uuid'
import { atMost } from '../base/at-most'
import { ServiceError } from '../base/errors'
import { sha256 } from '../base/hash'
import type { Log } from '../base/log'
import type { Db } from '../db/database'
import { findKey, findKeys, type KeyRecord, type NewKey, touchKey } from './key-queries'
import type { RateLimit } from './rate-limit'

/** A new API key: its secret, which we show once, and what we store. */
export type MintedKey = NewKey & { secret: string }

const FORM = /^qt_[A-Za-z0-9_-]{43}$/
const SHOWN_LENGTH = 11

/** A new API key of 256 random bits. */
export function mintKey(): MintedKey {
  const secret = `qt_${randomBytes(32).toString('base64url')}`
  return { id: uuidv7(), secret, hash: sha256(secret), prefix: secret.slice(0, SHOWN_LENGTH) }
}

/** Looks up keys with a cache of a few seconds. Claims read the settings again, so no payment moves on stale data. */
export type Keyring = {
  /** The record of a key; null if the key is invalid. Throws `too_many` if this address, or all together, try too many unknown keys. */
  find(key: string, address: string): Promise<KeyRecord | null>
  /** As `find` without the cache, for a caller whose settings just changed. */
  findAgain(key: string): Promise<KeyRecord | null>
  /** Rereads the keys of this tenant despite cached values and reads in progress; null: all keys. */
  forget(tenantId: string | null): void
}

const REMEMBERED_MS = 5_000
const REMEMBERED_KEYS = 10_000
const TOUCH_MS = 60_000
/** How long a key that was valid skips the queue of unknown keys. */
const TRUSTED_MS = 3_600_000
const GUESSES_PER_SECOND = 500

/** A lookup's result, and the number of the last change that this process knew when the read began. */
type Answer = { record: KeyRecord | null; since: number }
type Lookup = { hash: Uint8Array; address: string }

/** The keyring of a process. Parallel requests with one key share one lookup. */
export function createKeyring(db: Db, rateLimit: RateLimit, log: Log): Keyring {
  const trusted = new LRUCache<string, true>({ ...atMost(REMEMBERED_KEYS), ttl: TRUSTED_MS })
  const guess = createKeyLookups(db)
  const touched = new LRUCache<string, true>({ ...atMost(REMEMBERED_KEYS), ttl: TOUCH_MS })
  const answers = new LRUCache<string, Answer, Lookup>({
    ...atMost(REMEMBERED_KEYS),
    ttl: REMEMBERED_MS,
    fetchMethod: async (digest, _stale, { context: { hash, address } }) => {
      const since = changes
      const record = trusted.has(digest) ? await findKey(db, hash) : await guess(hash, address)
      if (record) trusted.set(digest, true)
      return { record, since }
    },
    // A flood of unknown keys can evict a lookup from the cache; its answer stays valid.
    ignoreFetchAbort: true,
  })

  // Compared, not deleted: a read that began before a change is outdated when it ends.
  let changes = 0
  let all = 0
  const changed = new Map<string, number>()

  function forget(tenantId: string | null): void {
    changes++
    // Compared with the id that the database writes.
    if (tenantId !== null && changed.size < REMEMBERED_KEYS) return void changed.set(tenantId.toLowerCase(), changes)
    all = changes
    changed.clear()
  }

  function isOutdated(digest: string, { record, since }: Answer): boolean {
    if (record) return since < Math.max(all, changed.get(record.tenantId) ?? 0)
    // An invalid key that was valid before may belong to the changed tenant.
    return since < (trusted.has(digest) ? changes : all)
  }

  async function find(key: string, address: string): Promise<KeyRecord | null> {
    if (!FORM.test(key)) return null
    const hash = sha256(key)
    const digest = digestOf(hash)
    if (!answers.has(digest) && !trusted.has(digest)) await rateLimit(`keys:${address}`, GUESSES_PER_SECOND)
    let answer = await answers.forceFetch(digest, { context: { hash, address } })
    // One reread is enough: it begins after the change.
    if (isOutdated(digest, answer)) answer = await answers.forceFetch(digest, { context: { hash, address }, forceRefresh: true })
    const { record } = answer
    if (record) noteUse(record)
    return record
  }

  async function findAgain(key: string): Promise<KeyRecord | null> {
    const hash = sha256(key)
    const since = changes
    const record = await findKey(db, hash)
    answers.set(digestOf(hash), { record, since })
    return record
  }

  // Only shown to the key's owner, so a request does not wait for it.
  function noteUse({ keyId }: KeyRecord): void {
    if (touched.has(keyId)) return
    touched.set(keyId, true)
    touchKey(db, keyId).catch((error: unknown) => log.warn({ err: error }, 'the last use of a key was not recorded'))
  }

  return { find, findAgain, forget }
}

function digestOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('base64url')
}

/** Looks up a key that this process has not seen valid: a guess, or a live key after a restart. Throws `too_many`. */
type LookUpKey = (hash: Uint8Array, address: string) => Promise<KeyRecord | null>

type Guess = { hash: Uint8Array; resolve: (record: KeyRecord | null) => void; reject: (error: unknown) => void }

/** Parallel statements, so that guesses leave connections for payments. */
const STATEMENTS = 3
const TOGETHER = 200
const OF_ADDRESS = 200
const WAITING = 10_000

/** A queue of such lookups. Addresses take turns and lookups share statements, so a flood of guesses hardly delays a live key. */
function createKeyLookups(db: Db): LookUpKey {
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
