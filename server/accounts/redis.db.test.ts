import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../test/support/database/postgres'
import { type RedisServer, startRedis } from '../../test/support/database/redis'
import { keepLog } from '../../test/support/log-lines'
import { until } from '../../test/support/until'
import { readEnv } from '../env/env'
import { connectRedis, type SharedRedis } from './redis'

let server: RedisServer
const open: SharedRedis[] = []

beforeAll(async () => {
  server = await startRedis()
})
afterEach(() => {
  for (const redis of open.splice(0)) redis.close()
})
afterAll(() => server?.kill())

async function connected(url = server.url) {
  const { log, lines } = keepLog()
  const redis = await connectRedis(url, log)
  open.push(redis)
  return { redis, lines }
}

const echo = ({ client }: SharedRedis) =>
  client.echo('hello').then(
    (reply) => reply,
    () => undefined,
  )
const echoes = (redis: SharedRedis) => Promise.all(Array.from({ length: 50 }, () => echo(redis)))
const messages = (lines: string[]): unknown[] => lines.map((line) => JSON.parse(line).msg)
const IN_USE = 'redis is in use'
const AWAY = 'redis is away: this process counts on its own'

test('a running Redis is usable at once', async () => {
  const { redis, lines } = await connected()
  expect(redis.usable()).toBe(true)
  expect(await echo(redis)).toBe('hello')
  expect(messages(lines)).toEqual([IN_USE])
})

test('a killed Redis fails requests at once and logs one line, and one more after its restart', async () => {
  const { redis, lines } = await connected()
  await server.kill()
  try {
    expect(await echoes(redis)).toEqual(Array(50).fill(undefined))
    await until(() => !redis.usable(), 'the loss of Redis')
    expect(await echoes(redis)).toEqual(Array(50).fill(undefined))
  } finally {
    await server.start()
  }
  await until(() => redis.usable(), 'Redis to be back')
  expect(await echo(redis)).toBe('hello')
  expect(messages(lines)).toEqual([IN_USE, AWAY, IN_USE])
})

test('a hung Redis is dropped after a second, fails every later request at once, and is used again when it continues', async () => {
  const { redis, lines } = await connected()
  server.freeze()
  try {
    const startedAt = performance.now()
    expect(await echoes(redis)).toEqual(Array(50).fill(undefined))
    expect(performance.now() - startedAt).toBeGreaterThan(900)
    expect(redis.usable()).toBe(false)
    expect(redis.client.status).not.toBe('ready')
    expect(await echoes(redis)).toEqual(Array(50).fill(undefined))
    expect(lines.at(-1)).toContain('no answer')
  } finally {
    server.thaw()
  }
  await until(() => redis.usable(), 'Redis to be back')
  expect(messages(lines)).toEqual([IN_USE, AWAY, IN_USE])
})

test('a Redis that hangs during the handshake is away, and used when it continues', async () => {
  server.freeze()
  const { redis, lines } = await connected()
  try {
    expect(redis.usable()).toBe(false)
  } finally {
    server.thaw()
  }
  await until(() => redis.usable(), 'Redis to be usable')
  expect(messages(lines)).toEqual([AWAY, IN_USE])
})

test('a Redis that refuses writes is away until it accepts them', async () => {
  const { redis, lines } = await connected()
  const operator = new Redis(server.url)
  try {
    await operator.replicaof('127.0.0.1', await freePort())
    await expect(redis.client.set('quittance:test', '1')).rejects.toThrow('READONLY')
    expect(redis.usable()).toBe(false)
    const refused = () => operator.info('errorstats').then((stats) => Number(/READONLY:count=(\d+)/.exec(stats)?.[1] ?? 0))
    await until(async () => (await refused()) > 3, 'refused probes')
    expect(lines.at(-1)).toContain('READONLY')
  } finally {
    await operator.replicaof('NO', 'ONE')
    operator.disconnect()
  }
  await until(() => redis.usable(), 'Redis to accept writes')
  expect(messages(lines)).toEqual([IN_USE, AWAY, IN_USE])
})

test('a missing Redis is away, with one log line', async () => {
  const { redis, lines } = await connected(`redis://:${server.password}@127.0.0.1:${await freePort()}`)
  expect(redis.usable()).toBe(false)
  expect(await echo(redis)).toBeUndefined()
  expect(messages(lines)).toEqual([AWAY])
  expect(lines.join()).toContain('ECONNREFUSED')
})

test('the log holds no password, not even a wrong one', async () => {
  const { redis, lines } = await connected(server.url.replace(server.password, 'wrong-horse'))
  expect(redis.usable()).toBe(false)
  expect(lines.join()).toContain('WRONGPASS')
  expect(lines.join()).not.toMatch(/horse|127\.0\.0\.1|redis:\/\//)
})

test('a closed Redis gets no request and logs nothing', async () => {
  const { redis, lines } = await connected()
  const pending = echo(redis)
  redis.close()
  await pending
  expect(await echo(redis)).toBeUndefined()
  await until(() => redis.client.status === 'end', 'the end of the connection')
  expect(messages(lines)).toEqual([IN_USE])
})

test.each(['http://:secret@host', 'redis:secret', 'redis://', 'redis://:secret%@host', 'redis://:secret@host:99999', 'secret'])(
  'REDIS_URL=%s stops the start, and the error does not show it',
  (url) => {
    const refusal = () => readEnv({ NODE_ENV: 'test', REDIS_URL: url })
    expect(refusal).toThrow(/REDIS_URL: must /)
    expect(refusal).not.toThrow(/secret/)
  },
)

test.each(['redis://host', 'rediss://user:p%25w@host:6380/2', 'redis://[::1]:6379'])('REDIS_URL=%s is accepted', (url) => {
  expect(readEnv({ NODE_ENV: 'test', REDIS_URL: url }).REDIS_URL).toBe(url)
})
