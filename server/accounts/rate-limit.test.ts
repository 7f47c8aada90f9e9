import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startHarness, until } from '../../test/harness'
import { keepLog } from '../../test/log-lines'
import { freePort } from '../../test/postgres'
import { type RedisServer, startRedis } from '../../test/redis'
import { isServiceError } from '../errors'
import { createRateLimit, type RateLimit } from './rate-limit'
import { connectRedis, type SharedRedis } from './redis'

const REFUSED = {
  refusal: 'too_many',
  message: 'more than 3 requests per second; wait 1 s and try again',
  facts: { reason: 'rate_limit_exceeded', retryAfterSeconds: 1 },
}

/** What each request heard: null when it was let through, or what the refusal told. Anything else thrown fails the test. */
async function hear(limit: RateLimit, subject: string, perSecond: number) {
  try {
    await limit(subject, perSecond)
    return null
  } catch (error) {
    if (!isServiceError(error)) throw error
    return { refusal: error.refusal, message: error.message, facts: error.facts }
  }
}

/** Plays a round on a subject of its own; again on another one when it took so long that a window may have ended in between. */
async function round<T>(play: (subject: string) => Promise<T>): Promise<T> {
  for (;;) {
    const startedAt = performance.now()
    const heard = await play(`ip:${randomUUID()}`)
    if (performance.now() - startedAt < 900) return heard
  }
}

/** What five requests at once hear where three a second are allowed: each goes to the next of the limits in turn. */
const fiveOfThree = (...limits: RateLimit[]) =>
  round((subject) => Promise.all([0, 1, 2, 3, 4].map((at) => hear(limits[at % limits.length] ?? (async () => {}), subject, 3))))

const THREE_PASS = [null, null, null, REFUSED, REFUSED]
const passes = (heard: unknown[]) => heard.filter((refusal) => refusal === null).length

describe('in memory', () => {
  afterEach(() => void vi.useRealTimers())

  test('three a second pass, the fourth is told to wait', async () => {
    expect(await fiveOfThree(createRateLimit())).toEqual(THREE_PASS)
  })

  test('the next second is a new one', async () => {
    vi.useFakeTimers()
    const limit = createRateLimit()
    expect(await Promise.all([1, 2, 3, 4].map(() => hear(limit, 'ip:a', 3)))).toEqual([null, null, null, REFUSED])
    vi.advanceTimersByTime(1_000)
    expect(await hear(limit, 'ip:a', 3)).toBeNull()
  })

  test('subjects do not share a count', async () => {
    const limit = createRateLimit()
    expect(await round(async (one) => [await hear(limit, one, 1), await hear(limit, `${one}b`, 1)])).toEqual([null, null])
  })

  test('every limit of a subject is held against one count', async () => {
    const limit = createRateLimit()
    const heard = await round(async (subject) => {
      for (let times = 0; times < 3; times++) await limit(subject, 10_000)
      return [await hear(limit, subject, 3), await hear(limit, subject, 5), await hear(limit, subject, 10_000)]
    })
    expect(heard).toEqual([REFUSED, null, null])
  })

  test('a flood of subjects is forgotten a second later', async () => {
    vi.useFakeTimers()
    const limit = createRateLimit()
    // each subject that is remembered has a timer to forget it
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

  /** Two processes, as far as Redis can tell. */
  async function two(url = server.url) {
    const { log, lines } = keepLog()
    const connections = [await connectRedis(url, log), await connectRedis(url, log)]
    open.push(...connections)
    const [one, other] = connections.map(createRateLimit)
    if (!one || !other) throw new Error('there are two')
    const back = () => until(() => connections.every((redis) => redis.usable()), 'both to use Redis')
    return { one, other, back, lines }
  }

  const expectApart = async (one: RateLimit, other: RateLimit) => {
    expect(await fiveOfThree(one)).toEqual(THREE_PASS)
    expect(passes(await fiveOfThree(one, other))).toBe(5)
  }
  const expectTogether = async (one: RateLimit, other: RateLimit) => {
    expect(await fiveOfThree(one)).toEqual(THREE_PASS)
    expect(passes(await fiveOfThree(one, other))).toBe(3)
  }

  test('two processes share one count', async () => {
    const { one, other } = await two()
    await expectTogether(one, other)
  })

  test('a service with REDIS_URL shares its limits, and leaves Redis when it closes', async () => {
    const redis = await connectRedis(server.url, keepLog().log)
    open.push(redis)
    const connections = async () => /connected_clients:(\d+)/.exec(await redis.client.info('clients'))?.[1]
    await until(async () => (await connections()) === '1', 'earlier connections to end')
    const service = await startHarness({ env: { REDIS_URL: server.url } })
    try {
      await expectTogether(service.app.rateLimit, createRateLimit(redis))
    } finally {
      await service.close()
    }
    await until(async () => (await connections()) === '1', 'the service to be gone')
  })

  test('every limit of a subject is held against one count', async () => {
    const { one, other } = await two()
    const heard = await round(async (subject) => {
      for (let times = 0; times < 3; times++) await one(subject, 10_000)
      return [await hear(other, subject, 3), await hear(other, subject, 5), await hear(one, subject, 10_000)]
    })
    expect(heard).toEqual([REFUSED, null, null])
  })

  test('nothing is left in Redis, and every key says whose it was', async () => {
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
      await expectApart(one, other)
    } finally {
      await server.start()
    }
    await back()
    await expectTogether(one, other)
    expect(lines.join()).not.toMatch(/horse|127\.0\.0\.1|redis:\/\//)
  })

  test('each process counts for itself while Redis hangs, and they share again when it moves', async () => {
    const { one, other, back, lines } = await two()
    server.freeze()
    try {
      await expectApart(one, other)
    } finally {
      server.thaw()
    }
    await back()
    await expectTogether(one, other)
    expect(lines.join()).not.toMatch(/horse|127\.0\.0\.1|redis:\/\//)
  })

  test('each process counts for itself where there never was a Redis', async () => {
    const { one, other } = await two(`redis://:${server.password}@127.0.0.1:${await freePort()}`)
    await expectApart(one, other)
  })
})
