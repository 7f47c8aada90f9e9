import { Redis } from 'ioredis'
import type { Log } from '../base/log'

/** A Redis that may fail at any moment. */
export type SharedRedis = {
  client: Redis
  /** Whether a write succeeded after the last connect and none has failed since. */
  usable(): boolean
  /** Disconnects permanently. */
  close(): void
}

// A replica, a full or a loading Redis answers pings but takes no writes.
const PROBE = "return redis.call('set', KEYS[1], 1, 'EX', 1)"

const SETTINGS = {
  connectTimeout: 2_000,
  // drops the connection to a hung Redis, so that no further request waits for it
  socketTimeout: 1_000,
  disconnectTimeout: 250,
  retryStrategy: () => 500,
  // a request that Redis did not answer was counted in memory: it must not be sent later
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // the probe replaces it
  enableReadyCheck: false,
}

/** Connects to Redis, resolves when it is usable or has failed, and then reconnects by itself. Logs each change without the URL. */
export async function connectRedis(url: string, log: Log): Promise<SharedRedis> {
  let status: 'new' | 'in use' | 'away' | 'closed' = 'new'
  let settle = () => {}
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })

  function setUsable() {
    if (status === 'closed') return
    if (status !== 'in use') log.info('redis is in use')
    status = 'in use'
    settle()
  }

  function setAway(cause: unknown) {
    if (status === 'closed') return
    if (status !== 'away') log.warn({ reason: reasonOf(cause) }, 'redis is away: this process counts on its own')
    status = 'away'
    settle()
  }

  const client = new Redis(url, {
    ...SETTINGS,
    reconnectOnError(error) {
      // the client answers NOSCRIPT itself: it sends the whole script
      if (error.message.startsWith('NOSCRIPT')) return false
      setAway(error)
      return true
    },
  })
  client.on('error', setAway)
  client.on('close', () => setAway(new Error('connection closed')))
  client.on('ready', () => void client.eval(PROBE, 1, 'quittance:probe').then(setUsable, setAway))
  await settled

  return {
    client,
    usable: () => status === 'in use',
    close() {
      status = 'closed'
      client.disconnect()
    },
  }
}

/** A short reason for the log: messages of errors may hold addresses and, for a refused login, the password. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown'
  if ('code' in cause && typeof cause.code === 'string') return cause.code
  if (/^(Socket|Command) time/.test(cause.message)) return 'no answer'
  return /^[A-Z]{3,}(?= )|^connection closed$/.exec(cause.message)?.[0] ?? cause.name
}
