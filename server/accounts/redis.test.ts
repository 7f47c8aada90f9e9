import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { until } from '../../test/harness'
import { keepLog } from '../../test/log-lines'
import { freePort } from '../../test/postgres'
import { type RedisServer, startRedis } from '../../test/redis'
import { readEnv } from '../env'
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

const messages = (lines: string[]): unknown[] => lines.map((line) => JSON.parse(line).msg)
const IN_USE = 'redis is in use'
const AWAY = 'redis is away: this process counts on its own'

test('a Redis that answers is usable at once', async () => {
  const { redis, lines } = await connected()
  expect(redis.usable()).toBe(true)
  expect(await redis.ask(() => redis.client.echo('hello'))).toBe('hello')
  expect(messages(lines)).toEqual([IN_USE])
})

test('a Redis that is killed and started again goes and comes with one line each, whatever is asked meanwhile', async () => {
  const { redis, lines } = await connected()
  const ask = () => redis.ask(() => redis.client.echo('hello'))
  await server.kill()
  try {
    expect(await Promise.all(Array.from({ length: 50 }, ask))).toEqual(Array(50).fill(undefined))
    await until(() => !redis.usable(), 'Redis to be missed')
    expect(await Promise.all(Array.from({ length: 50 }, ask))).toEqual(Array(50).fill(undefined))
  } finally {
    await server.start()
  }
  await until(() => redis.usable(), 'Redis to be back')
  expect(await ask()).toBe('hello')
  expect(messages(lines)).toEqual([IN_USE, AWAY, IN_USE])
})

test('a hung Redis keeps those waiting who were asking, nobody afterwards, and is used again when it moves', async () => {
  const { redis, lines } = await connected()
  server.freeze()
  try {
    const answers = await Promise.all(Array.from({ length: 50 }, () => redis.ask(() => redis.client.echo('hello'))))
    expect(answers).toEqual(Array(50).fill(undefined))
    expect(redis.usable()).toBe(false)
    let asked = 0
    await redis.ask(async () => ++asked)
    expect(asked).toBe(0)
  } finally {
    server.thaw()
  }
  await until(() => redis.usable(), 'Redis to be back')
  expect(messages(lines)).toEqual([IN_USE, AWAY, IN_USE])
})

test('a Redis that hangs for longer than a handshake is away, and used again when it moves', async () => {
  server.freeze()
  const { redis, lines } = await connected()
  try {
    expect(redis.usable()).toBe(false)
  } finally {
    server.thaw()
  }
  await until(() => redis.usable(), 'Redis to be there')
  expect(messages(lines)).toEqual([AWAY, IN_USE])
})

test('a Redis that takes no writes is away until it takes them again', async () => {
  const { redis, lines } = await connected()
  const operator = new Redis(server.url)
  try {
    await operator.replicaof('127.0.0.1', await freePort())
    expect(await redis.ask(() => redis.client.set('quittance:test', '1'))).toBeUndefined()
    expect(redis.usable()).toBe(false)
    const refused = () => operator.info('errorstats').then((stats) => Number(/READONLY:count=(\d+)/.exec(stats)?.[1] ?? 0))
    await until(async () => (await refused()) > 3, 'some probes to be refused')
    expect(lines.at(-1)).toContain('READONLY')
  } finally {
    await operator.replicaof('NO', 'ONE')
    operator.disconnect()
  }
  await until(() => redis.usable(), 'Redis to take writes')
  expect(messages(lines)).toEqual([IN_USE, AWAY, IN_USE])
})

test('a Redis that was never there is away, told once', async () => {
  const { redis, lines } = await connected(`redis://:${server.password}@127.0.0.1:${await freePort()}`)
  expect(redis.usable()).toBe(false)
  expect(await redis.ask(() => redis.client.echo('hello'))).toBeUndefined()
  expect(messages(lines)).toEqual([AWAY])
  expect(lines.join()).toContain('ECONNREFUSED')
})

test('no password is told, not even a wrong one', async () => {
  const { redis, lines } = await connected(server.url.replace(server.password, 'wrong-horse'))
  expect(redis.usable()).toBe(false)
  expect(lines.join()).toContain('WRONGPASS')
  expect(lines.join()).not.toMatch(/horse|127\.0\.0\.1|redis:\/\//)
})

test('a closed Redis is asked nothing and tells nothing', async () => {
  const { redis, lines } = await connected()
  const pending = redis.ask(() => redis.client.echo('hello'))
  redis.close()
  await pending
  expect(await redis.ask(() => redis.client.echo('hello'))).toBeUndefined()
  await until(() => redis.client.status === 'end', 'the connection to end')
  expect(messages(lines)).toEqual([IN_USE])
})

test.each(['http://:secret@host', 'redis:secret', 'redis://', 'redis://:secret%@host', 'redis://:secret@host:99999', 'secret'])(
  'REDIS_URL=%s keeps the service from starting, without being told',
  (url) => {
    const refusal = () => readEnv({ NODE_ENV: 'test', REDIS_URL: url })
    expect(refusal).toThrow(/REDIS_URL: must /)
    expect(refusal).not.toThrow(/secret/)
  },
)

test.each(['redis://host', 'rediss://user:p%25w@host:6380/2', 'redis://[::1]:6379'])('REDIS_URL=%s is taken', (url) => {
  expect(readEnv({ NODE_ENV: 'test', REDIS_URL: url }).REDIS_URL).toBe(url)
})
