import { KEPT_MS, type ServedStore } from './store'

/** Sends one command to Redis: `(words) => ioredis.call(...words)`, or `(words) => client.sendCommand(words)`. */
export type RedisCommand = (words: [string, ...string[]]) => Promise<unknown>

const REPLACE = `local value = redis.call('GET', KEYS[1])
if (value or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`

/** Keeps served payments in Redis, for any number of processes. Redis must write to its disk (`appendonly yes`). */
export function redisStore(command: RedisCommand, { prefix = 'quittance:served:', now = Date.now } = {}): ServedStore {
  return {
    async since() {
      await command(['SET', `${prefix}since`, String(now()), 'NX'])
      return Number(await command(['GET', `${prefix}since`]))
    },
    async get(key) {
      const value = await command(['GET', `${prefix}key:${key}`])
      return value === null || value === undefined ? null : String(value)
    },
    async replace(key, before, after) {
      const replaced = await command(['EVAL', REPLACE, '1', `${prefix}key:${key}`, before ?? '', after, String(KEPT_MS)])
      return Number(replaced) === 1
    },
  }
}
