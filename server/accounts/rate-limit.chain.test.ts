import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../test/support/database/postgres'
import { type RedisServer, startRedis } from '../../test/support/database/redis'
import { keepLog } from '../../test/support/log-lines'
import { startHarness } from '../../test/support/service/harness'
import { inOneSecond } from '../../test/support/service/rate-window'
import { until } from '../../test/support/until'
import { isServiceError } from '../base/errors'
import { createRateLimit, type RateLimit } from './rate-limit'
import { connectRedis, type SharedRedis } from './redis'

const REFUSED = {
  refusal: 'too_many',
  message: 'more than 3 requests per second; wait 1 s and try again',
  facts: { reason: 'rate_limit_exceeded', retryAfterSeconds: 1 },
}

/** The result of one request: null when it passed, otherwise the refusal. Any other error fails the test. */
async function request(limit: RateLimit, subject: string, perSecond: number) {
  try {
    await limit(subject, perSecond)
    return null
  } catch (error) {
    if (!isServiceError(error)) throw error
    return { refusal: error.refusal, message: error.message, facts: error.facts }
  }
}

/** Runs a round on a new subject. */
const round = <T>(play: (subject: string) => Promise<T>): Promise<T> => inOneSecond(() => play(`ip:${randomUUID()}`))

/** The results of five requests at once where three a second may pass; they take turns between the limits. */
const fiveOfThree = (...limits: RateLimit[]) =>
  round((subject) =>
    Promise.all([0, 1, 2, 3, 4].map((at) => request(limits[at % limits.length] ?? (async () => {}), subject, 3))),
  )

const THREE_PASS = [null, null, null, REFUSED, REFUSED]
const passes = (results: unknown[]) => results.filter((refusal) => refusal === null).length

describe('in memory', () => {
  afterEach(() => void vi.useRealTimers())

  test('three a second pass, the fourth must wait', async () => {
    expect(await fiveOfThree(createRateLimit())).toEqual(THREE_PASS)
  })

  test('the next second starts a new count', async () => {
    vi.useFakeTimers()
    const limit = createRateLimit()
    expect(await Promise.all([1, 2, 3, 4].map(() => request(limit, 'ip:a', 3)))).toEqual([null, null, null, REFUSED])
    vi.advanceTimersByTime(1_000)
    expect(await request(limit, 'ip:a', 3)).toBeNull()
  })

  test('a request of several calls counts as so many', async () => {
    const limit = createRateLimit()
    for (const calls of [10, 1, 9]) await expect(limit('10.0.0.7', 20, calls)).resolves.toBeUndefined()
    await expect(limit('10.0.0.7', 20, 1)).rejects.toMatchObject({ refusal: 'too_many' })
  })

  test('subjects do not share a count', async () => {
    const limit = createRateLimit()
    expect(await round(async (one) => [await request(limit, one, 1), await request(limit, `${one}b`, 1)])).toEqual([null, null])
  })

  test('all limits of a subject share one count', async () => {
    const limit = createRateLimit()
    const results = await round(async (subject) => {
      for (let times = 0; times < 3; times++) await limit(subject, 10_000)
      return [await request(limit, subject, 3), await request(limit, subject, 5), await request(limit, subject, 10_000)]
    })
    expect(results).toEqual([REFUSED, null, null])
  })

  test('a flood of subjects is forgotten a second later', async () => {
    vi.useFakeTimers()
    const limit = createRateLimit()
    // each remembered subject has a timer
    for (let at = 0; at < 1_000; at++) await limit(`ip:${at}`, 5)
    expect(vi.getTimerCount()).toBe(1_000)
    vi.advanceTimersByTime(1_000)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('over Redis', () => {
  let server: RedisServer
  const open: SharedRedis[] = []

  beforeAll(async () => {
    server = await startRedis()
  })
  afterEach(() => {
    for (const redis of open.splice(0)) redis.close()
  })
  afterAll(() => server?.kill())

  /** Two connections, as two processes have. */
  async function two(url = server.url) {
    const { log, lines } = keepLog()
    const connections = [await connectRedis(url, log), await connectRedis(url, log)]
    open.push(...connections)
    const [one, other] = connections.map(createRateLimit)
    if (!one || !other) throw new Error('expected two limits')
    const back = () => until(() => connections.every((redis) => redis.usable()), 'both to use Redis')
    return { one, other, back, lines, connections }
  }

  const expectSeparate = async (one: RateLimit, other: RateLimit) => {
    expect(await fiveOfThree(one)).toEqual(THREE_PASS)
    expect(passes(await fiveOfThree(one, other))).toBe(5)
  }
  const expectShared = async (one: RateLimit, other: RateLimit) => {
    expect(await fiveOfThree(one)).toEqual(THREE_PASS)
    expect(passes(await fiveOfThree(one, other))).toBe(3)
  }
  // A busy machine may pass the deadline of a command: that one counts for itself.
  const untilShared = (one: RateLimit, other: RateLimit) =>
    until(async () => passes(await fiveOfThree(one, other)) === 3, 'both to share one count')

  test('two processes share one count', async () => {
    const { one, other } = await two()
    await expectShared(one, other)
  })

  test('a service with REDIS_URL shares its limits, and disconnects when it closes', async () => {
    const redis = await connectRedis(server.url, keepLog().log)
    open.push(redis)
    const connections = async () => /connected_clients:(\d+)/.exec(await redis.client.info('clients'))?.[1]
    await until(async () => (await connections()) === '1', 'earlier connections to end')
    const service = await startHarness({ env: { REDIS_URL: server.url } })
    try {
      await expectShared(service.app.rateLimit, createRateLimit(redis))
    } finally {
      await service.close()
    }
    await until(async () => (await connections()) === '1', 'the service to disconnect')
  })

  test('all limits of a subject share one count', async () => {
    const { one, other } = await two()
    const results = await round(async (subject) => {
      for (let times = 0; times < 3; times++) await one(subject, 10_000)
      return [await request(other, subject, 3), await request(other, subject, 5), await request(one, subject, 10_000)]
    })
    expect(results).toEqual([REFUSED, null, null])
  })

  test('no key stays in Redis, and every key has our prefix', async () => {
    const redis = await connectRedis(server.url, keepLog().log)
    open.push(redis)
    const limit = createRateLimit(redis)
    const keys = await round(async (subject) => {
      await limit(subject, 3)
      const found = await redis.client.keys(`*${subject}`)
      return found.map((key) => key.replace(subject, ''))
    })
    expect(keys).toEqual(['quittance:rate:'])
    await until(async () => (await redis.client.dbsize()) === 0, 'all keys to expire')
  })

  test('each process counts for itself while Redis is dead, and they share again when it is back', async () => {
    const { one, other, back, lines } = await two()
    await server.kill()
    try {
      await expectSeparate(one, other)
    } finally {
      await server.start()
    }
    await back()
    await untilShared(one, other)
    expect(lines.join()).not.toMatch(/horse|127\.0\.0\.1|redis:\/\//)
  })

  test('each process counts for itself while Redis hangs, and they share again when it continues', async () => {
    const { one, other, back, lines } = await two()
    server.freeze()
    try {
      await expectSeparate(one, other)
    } finally {
      server.thaw()
    }
    await back()
    await untilShared(one, other)
    expect(lines.join()).not.toMatch(/horse|127\.0\.0\.1|redis:\/\//)
  })

  test('a hung Redis delays a request by 250 ms, counts it once, and delays none after the connection is dropped', async () => {
    const { one, back, connections } = await two()
    server.freeze()
    try {
      const subject = `ip:${randomUUID()}`
      const startedAt = performance.now()
      expect(await request(one, subject, 1)).toBeNull()
      expect(performance.now() - startedAt).toBeGreaterThan(200)
      // The request did not wait for the second after which the connection is dropped.
      expect(connections.every((redis) => redis.usable())).toBe(true)
      // the late failure of the first request must not count again
      await until(() => connections.some((redis) => !redis.usable()), 'the dropped connection')
      let second: unknown = 'waits'
      void request(one, subject, 2).then((result) => {
        second = result
      })
      // Some turns of the event loop, which no timer of 250 ms ends.
      for (let turn = 0; turn < 10; turn++) await setImmediate()
      expect(second).toBeNull()
    } finally {
      server.thaw()
    }
    await back()
  })

  test('each process counts for itself without a reachable Redis', async () => {
    const { one, other } = await two(`redis://:${server.password}@127.0.0.1:${await freePort()}`)
    await expectSeparate(one, other)
  })
})
