import { Redis } from 'ioredis'
import type { Log } from '../log'

/** A Redis that may be away at any moment. */
export type SharedRedis = {
  /** For libraries that speak Redis themselves; call them inside `ask` only. */
  client: Redis
  /** Whether questions are asked at all: it answered the last one, and in time. */
  usable(): boolean
  /** Asks a question of Redis and waits 250 ms at most. Undefined while Redis is away, then without any wait. Never throws. */
  ask<T>(question: () => Promise<T>): Promise<T | undefined>
  /** Leaves Redis for good. */
  close(): void
}

type State = 'new' | 'used' | 'away' | 'closed'

const ANSWER_MS = 250
const HANDSHAKE_MS = 2_000
const RECONNECT_MS = 500

// A write by a script: a replica, a full or a loading Redis answers pings, and yet is of no use.
const PROBE = "return redis.call('set', KEYS[1], 1, 'EX', 1)"

/**
 * Connects to Redis; resolves when it is usable or known to be away. From then on it reconnects by itself.
 * Its coming and going is one log line each, without the URL.
 */
export async function connectRedis(url: string, log: Log): Promise<SharedRedis> {
  let state: State = 'new'
  let judged = () => {}
  const verdict = new Promise<void>((resolve) => {
    judged = resolve
  })
  const client = new Redis(url, {
    connectTimeout: HANDSHAKE_MS,
    commandTimeout: HANDSHAKE_MS,
    disconnectTimeout: ANSWER_MS,
    retryStrategy: () => RECONNECT_MS,
    // what Redis did not answer was counted in memory: it must not be sent later
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // the probe knows better
    enableReadyCheck: false,
  })

  const usable = () => state === 'used'

  function found() {
    if (state === 'closed') return
    if (state !== 'used') log.info('redis is in use')
    state = 'used'
    judged()
  }

  function lost(cause: unknown) {
    if (state === 'closed') return
    if (state !== 'away') log.warn({ reason: reasonOf(cause) }, 'redis is away: this process counts on its own')
    state = 'away'
    judged()
  }

  async function probe() {
    try {
      await inTime(client.eval(PROBE, 1, 'quittance:probe'))
      found()
    } catch (cause) {
      lost(cause)
      reconnect()
    }
  }

  // The way back, for a hung Redis and for a peer that vanished without a word: each new connection is probed.
  function reconnect() {
    if (state !== 'closed') client.disconnect(true)
  }

  client.on('error', lost)
  client.on('close', () => lost(new Error('connection closed')))
  client.on('ready', () => void probe())
  await verdict

  return {
    client,
    usable,
    async ask(question) {
      if (!usable()) return undefined
      try {
        return await inTime(question())
      } catch (cause) {
        // one of all who were waiting is enough
        if (usable()) reconnect()
        lost(cause)
        return undefined
      }
    },
    close() {
      state = 'closed'
      client.disconnect()
    },
  }
}

/** The answer, or a rejection after `ANSWER_MS`. */
function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // an answer that lies unread because this process was busy still counts: sockets are read before immediates run
    const timer = setTimeout(() => setImmediate(reject, new Error('no answer')), ANSWER_MS)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** A word for the log. Messages and fields of errors may hold addresses and, for a refused login, the password. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown'
  if ('code' in cause && typeof cause.code === 'string') return cause.code
  return /^[A-Z]{3,}(?= )|^no answer$|^connection closed$/.exec(cause.message)?.[0] ?? cause.name
}
