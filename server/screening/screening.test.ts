import { setImmediate } from 'node:timers/promises'
import { inspect } from 'node:util'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Kyt, type Misbehaviour, misbehaviours, startKyt } from '../../test/kyt'
import { isServiceError, type ServiceError } from '../errors'
import { createTurns } from './budgets'
import { chainalysis, type Screener } from './chainalysis'
import { createScreening, noScreening, type Parties, type Requester, type Screening, type ScreeningOptions } from './screening'

const PAYER = '0x1111111111111111111111111111111111111111'
const PAY_TO = '0x2222222222222222222222222222222222222222'
const PARTIES = { payer: PAYER, payTo: PAY_TO }
/** Long enough for any response on any machine. */
const PATIENT_MS = 20_000
const HASTY_MS = 200

/** The n-th of many addresses. */
const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`
/** One address as payer and payTo, to screen a single address. */
const only = (one: string) => ({ payer: one, payTo: one })

let kyt: Kyt
let time: number
let lines: { level: number; msg: string }[]
let logged: string
beforeEach(async () => {
  kyt = await startKyt()
  time = 1_000
  lines = []
  logged = ''
})
afterEach(() => kyt.close())

/** A requester with an unlimited budget. */
const REQUESTER = { id: 'requester', perMinute: 1_000_000 }

/** The requester of most tests. */
type Asking = {
  [way in 'requireAvailable' | 'screen']: (parties: Parties, requester?: Requester) => ReturnType<Screening[way]>
} & Pick<Screening, 'health'>

function screeningBy(screener: Screener, options: Partial<ScreeningOptions> = {}): Asking {
  const write = (line: string) => {
    logged += line
    lines.push(JSON.parse(line))
  }
  // Logs complete errors, unlike the service's own log.
  const log = pino({ serializers: { err: (error: unknown) => inspect(error, { depth: 20 }) } }, { write })
  const screening = createScreening(screener, { log, now: () => time, ...options })
  return {
    requireAvailable: (parties, requester = REQUESTER) => screening.requireAvailable(parties, requester),
    screen: (parties, requester = REQUESTER) => screening.screen(parties, requester),
    health: screening.health,
  }
}

const screeningWith = (timeoutMs: number, options: Partial<ScreeningOptions> = {}) =>
  screeningBy(chainalysis(`${kyt.url}/url-secret`, 'key-secret', timeoutMs), options)

/** The refusal of a screening. Fails the test when it passes. */
async function refusalOf(work: Promise<void>): Promise<ServiceError> {
  const error: unknown = await work.then(
    () => expect.fail('passed'),
    (error: unknown) => error,
  )
  return isServiceError(error) ? error : expect.fail(`no refusal: ${inspect(error)}`)
}

const messageOf = async (work: Promise<void>) => (await refusalOf(work)).message

/** Five failed calls, one after another. */
async function breakIt(screening: Asking, how: Misbehaviour = 'status 500'): Promise<void> {
  kyt.misbehave(how)
  for (let n = 0; n < 5; n++) await refusalOf(screening.screen(only(address(0xbad + n))))
}

const askedFor = (one: string) => kyt.requests.filter(({ path }) => path.endsWith(`/address/${one}`)).length

describe('a payment between clear addresses', () => {
  test('passes, with one call per address and the API key', async () => {
    await screeningWith(PATIENT_MS).screen(PARTIES)
    expect(kyt.requests.map(({ path }) => path).sort()).toEqual([`/url-secret/address/${PAYER}`, `/url-secret/address/${PAY_TO}`])
    expect(kyt.requests.map(({ apiKey }) => apiKey)).toEqual(['key-secret', 'key-secret'])
  })

  test('passes without a call if screening is off', async () => {
    kyt.flag(PAYER)
    noScreening.requireAvailable(PARTIES, REQUESTER)
    await noScreening.screen(PARTIES, REQUESTER)
    expect(kyt.requests).toEqual([])
  })
})

describe('403', () => {
  test.each([
    ["the payer's address", PAYER],
    ['the payTo address', PAY_TO],
  ])('says that %s was flagged, and nothing of the vendor’s detail', async (name, flagged) => {
    kyt.flag(flagged)
    const error = await refusalOf(screeningWith(PATIENT_MS).screen(PARTIES))
    expect(error).toMatchObject({ refusal: 'forbidden', message: `${name} was flagged by KYT screening` })
    expect(error.facts).toEqual({ reason: 'kyt_flagged' })
    expect(inspect(error, { depth: 20 })).not.toMatch(/VENDOR DETAIL|url-secret|key-secret|0x/)
  })

  test.each([
    ["the payer's address", PAYER, PAY_TO],
    ['the payTo address', PAY_TO, PAYER],
  ])('wins over 503 when %s is flagged and the other is unknown', async (name, flagged, unknown) => {
    kyt.flag(flagged)
    kyt.misbehave('status 500', unknown)
    expect(await messageOf(screeningWith(PATIENT_MS).screen(PARTIES))).toBe(`${name} was flagged by KYT screening`)
  })

  test('is requested each time: a flag is never cached', async () => {
    const screening = screeningWith(PATIENT_MS)
    kyt.flag(PAYER)
    await refusalOf(screening.screen(PARTIES))
    await refusalOf(screening.screen(PARTIES))
    expect([askedFor(PAYER), askedFor(PAY_TO)]).toEqual([2, 1])
  })

  test('does not count as a failure of the service', async () => {
    const screening = screeningWith(PATIENT_MS)
    kyt.flag(PAYER)
    for (let n = 0; n < 6; n++) expect(await refusalOf(screening.screen(only(PAYER)))).toMatchObject({ refusal: 'forbidden' })
    screening.requireAvailable(PARTIES)
  })
})

describe('503', () => {
  test.each(misbehaviours)('when the service misbehaves for either party: %s', async (how) => {
    for (const unknown of [PAYER, PAY_TO]) {
      const screening = screeningWith(HASTY_MS)
      kyt.misbehave(how, unknown)
      const error = await refusalOf(screening.screen(PARTIES))
      expect(error).toMatchObject({
        refusal: 'unavailable',
        message: 'KYT screening is unavailable; nothing was sent, try again shortly',
        facts: { reason: 'kyt_unavailable', retryAfterSeconds: 2 },
      })
      expect(inspect(error, { depth: 20 })).not.toMatch(/url-secret|key-secret|http:|0x/)
      kyt.misbehave(null, unknown)
    }
  })

  test('reaches every payment that waited for the failed call, and leaves nothing behind', async () => {
    const screening = screeningWith(PATIENT_MS)
    kyt.misbehave('status 500')
    const errors = await Promise.all(Array.from({ length: 50 }, () => refusalOf(screening.screen(only(PAYER)))))
    expect(new Set(errors.map(({ refusal }) => refusal))).toEqual(new Set(['unavailable']))
    expect(kyt.requests).toHaveLength(1)
    kyt.misbehave(null)
    await screening.screen(only(PAYER))
    expect(kyt.requests).toHaveLength(2)
  })
})

describe('a clear verdict', () => {
  test('needs one call for 50 concurrent payments', async () => {
    const screening = screeningWith(PATIENT_MS)
    await Promise.all(Array.from({ length: 50 }, () => screening.screen(only(PAYER))))
    expect(kyt.requests).toHaveLength(1)
  })

  test('is cached for one minute', async () => {
    const screening = screeningWith(PATIENT_MS)
    await screening.screen(PARTIES)
    kyt.flag(PAYER)
    time += 60_000
    await screening.screen(PARTIES)
    expect(kyt.requests).toHaveLength(2)
    time += 1
    expect(await refusalOf(screening.screen(PARTIES))).toMatchObject({ refusal: 'forbidden' })
  })

  test('that grew old does not serve while the service fails', async () => {
    const screening = screeningWith(PATIENT_MS)
    await screening.screen(PARTIES)
    kyt.misbehave('status 500')
    time += 60_001
    for (let n = 0; n < 2; n++) expect(await refusalOf(screening.screen(PARTIES))).toMatchObject({ refusal: 'unavailable' })
  })

  test('is cached for 10,000 addresses, and the least recently used is dropped first', async () => {
    const asked: string[] = []
    const screening = screeningBy(async (one) => {
      asked.push(one)
      return 'clear'
    })
    for (let n = 0; n <= 10_000; n++) await screening.screen(only(address(n)))
    expect(asked).toHaveLength(10_001)
    await screening.screen(only(address(10_000)))
    await screening.screen(only(address(1)))
    expect(asked).toHaveLength(10_001)
    await screening.screen(only(address(0)))
    expect(asked).toHaveLength(10_002)
  })

  test('reaches those who wait for it even when 10,000 others came between, and so does a flag', async () => {
    const answer = new Map<string, (verdict: 'clear' | 'flagged') => void>()
    const slow = [address(0xaaaaaa), address(0xbbbbbb)]
    const screening = screeningBy((one) =>
      slow.includes(one) ? new Promise((resolve) => answer.set(one, resolve)) : Promise.resolve('clear'),
    )
    const [waiting, flagged] = slow.map((one) => screening.screen(only(one)))
    const refused = flagged ? refusalOf(flagged) : expect.fail('no second')
    for (let n = 0; n <= 10_000; n++) await screening.screen(only(address(n)))
    for (const [one, resolve] of answer) resolve(one === slow[0] ? 'clear' : 'flagged')
    await waiting
    expect(await refused).toMatchObject({ refusal: 'forbidden' })
  })
})

describe('after five failures in a row', () => {
  test('payments are refused without a call, with a time to retry', async () => {
    const screening = screeningWith(PATIENT_MS)
    screening.requireAvailable(PARTIES)
    await breakIt(screening)
    time += 1_500
    const facts = { reason: 'kyt_unavailable', retryAfterSeconds: 4 }
    expect(await refusalOf(screening.screen(PARTIES))).toMatchObject({ refusal: 'unavailable', facts })
    const required = refusalOf(Promise.resolve().then(() => screening.requireAvailable(PARTIES)))
    expect(await required).toMatchObject({ refusal: 'unavailable', facts })
    expect(kyt.requests).toHaveLength(5)
  })

  test('but not when one of them got through', async () => {
    const screening = screeningWith(PATIENT_MS)
    kyt.misbehave('status 500')
    for (let n = 0; n < 4; n++) await refusalOf(screening.screen(only(address(n))))
    kyt.misbehave(null)
    await screening.screen(only(PAYER))
    kyt.misbehave('status 500')
    for (let n = 0; n < 4; n++) await refusalOf(screening.screen(only(address(n))))
    screening.requireAvailable(PARTIES)
    expect(lines).toEqual([])
  })

  test('payments whose parties were both clear a moment ago pass, others do not', async () => {
    const screening = screeningWith(PATIENT_MS)
    await screening.screen(PARTIES)
    await breakIt(screening)
    screening.requireAvailable(PARTIES)
    await screening.screen(PARTIES)
    const half = { payer: PAYER, payTo: address(7) }
    expect(() => screening.requireAvailable(half)).toThrow('KYT screening is unavailable')
    expect(await refusalOf(screening.screen(half))).toMatchObject({ refusal: 'unavailable' })
  })

  test('one call tries after 5 s, and 5 s again after it failed', async () => {
    const screening = screeningWith(PATIENT_MS)
    await breakIt(screening)
    for (const calls of [6, 7]) {
      time += 4_999
      await refusalOf(screening.screen(PARTIES))
      expect(kyt.requests).toHaveLength(calls - 1)
      time += 1
      screening.requireAvailable(PARTIES)
      const many = Array.from({ length: 30 }, (_, n) => refusalOf(screening.screen(only(address(n)))))
      expect(new Set((await Promise.all(many)).map(({ refusal }) => refusal))).toEqual(new Set(['unavailable']))
      expect(kyt.requests).toHaveLength(calls)
      expect(() => screening.requireAvailable(PARTIES)).toThrow('KYT screening is unavailable')
    }
  })

  test('a try that gets through lets all pass again, the payment that tried too', async () => {
    const screening = screeningWith(PATIENT_MS)
    await breakIt(screening)
    kyt.misbehave(null)
    time += 5_000
    await Promise.all([screening.screen(PARTIES), ...Array.from({ length: 30 }, (_, n) => screening.screen(only(address(n))))])
    expect(kyt.requests).toHaveLength(5 + 2 + 30)
    kyt.misbehave('status 500')
    await refusalOf(screening.screen(only(address(99))))
    screening.requireAvailable(PARTIES)
  })

  test('is its health until a call succeeds, also without requests', async () => {
    const screening = screeningWith(PATIENT_MS)
    expect([noScreening.health(), screening.health()]).toEqual(['off', 'answers'])
    await breakIt(screening)
    time += 60_000
    expect(screening.health()).toBe('silent')
    kyt.misbehave(null)
    await screening.screen(PARTIES)
    expect(screening.health()).toBe('answers')
  })

  test('the log has one line when it begins and one when it ends, without a secret or an address', async () => {
    const screening = screeningWith(PATIENT_MS)
    await breakIt(screening, 'closes the socket')
    for (let n = 0; n < 3; n++) {
      await refusalOf(screening.screen(PARTIES))
      time += 5_000
      await refusalOf(screening.screen(PARTIES))
    }
    kyt.misbehave(null)
    time += 5_000
    await screening.screen(PARTIES)
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      [40, 'KYT screening does not answer; payments are refused'],
      [30, 'KYT screening answers again'],
    ])
    expect(logged).not.toMatch(/url-secret|key-secret|http:|0x/)
  })
})

describe('of 250 payments at once', () => {
  test('100 are called, 100 wait and 50 are refused', async () => {
    const open: (() => void)[] = []
    let most = 0
    let inFlight = 0
    const screening = screeningBy(async () => {
      most = Math.max(most, ++inFlight)
      await new Promise<void>((resolve) => open.push(resolve))
      inFlight--
      return 'clear'
    })
    const ends: string[] = []
    const all = Array.from({ length: 250 }, (_, n) =>
      screening.screen(only(address(n))).then(
        () => ends.push('passed'),
        (error: unknown) => ends.push(isServiceError(error) ? error.refusal : 'a bug'),
      ),
    )
    await setImmediate()
    expect(ends).toEqual(Array.from({ length: 50 }, () => 'unavailable'))
    expect(open).toHaveLength(100)
    while (ends.length < 250) {
      for (const answer of open.splice(0)) answer()
      await setImmediate()
    }
    await Promise.all(all)
    expect(ends.filter((end) => end === 'passed')).toHaveLength(200)
    expect(most).toBe(100)
    screening.requireAvailable(PARTIES)
    expect(lines).toEqual([])
  })
})

describe('a requester', () => {
  const few = { id: 'few', perMinute: 4 }
  const many = (count: number, from: number) => Array.from({ length: count }, (_, n) => only(address(from + n)))

  test('with too many new addresses is refused for a while, and no other requester', async () => {
    const screening = screeningWith(PATIENT_MS)
    for (const parties of many(4, 100)) await screening.screen(parties, few)
    const error = await refusalOf(screening.screen(only(address(200)), few))
    expect(error).toMatchObject({
      refusal: 'too_many',
      message: 'more than 4 new wallets per minute; wait 15 s and try again',
      facts: { reason: 'rate_limit_exceeded', retryAfterSeconds: 15 },
    })
    expect(() => screening.requireAvailable(only(address(200)), few)).toThrow('new wallets per minute')
    expect(askedFor(address(200))).toBe(0)
    await screening.screen(only(address(200)), { ...few, id: 'another' })
    time += 15_000
    await screening.screen(only(address(201)), few)
    expect(await refusalOf(screening.screen(only(address(202)), few))).toMatchObject({ refusal: 'too_many' })
  })

  test('can still pay with addresses that have a verdict or a call in flight', async () => {
    const screening = screeningWith(PATIENT_MS)
    await screening.screen(PARTIES)
    await Promise.all(Array.from({ length: 50 }, () => screening.screen(PARTIES, few)))
    await Promise.all(Array.from({ length: 50 }, () => screening.screen(only(address(7)), few)))
    for (const parties of many(3, 300)) await screening.screen(parties, few)
    screening.requireAvailable(PARTIES, few)
    expect(kyt.requests).toHaveLength(2 + 1 + 3)
  })

  test('needs the budget for both parties before any call', async () => {
    const screening = screeningWith(PATIENT_MS)
    for (const parties of many(3, 400)) await screening.screen(parties, few)
    expect(await refusalOf(screening.screen({ payer: address(1), payTo: address(2) }, few))).toMatchObject({
      refusal: 'too_many',
    })
    expect([askedFor(address(1)), askedFor(address(2))]).toEqual([0, 0])
    await screening.screen(only(address(1)), few)
  })
})

describe('a rate-limited service', () => {
  const busyFor = (retryAfter: string | null) => kyt.misbehave({ status: 429, retryAfter })

  test.each([
    ['7', 7],
    ['600', 60],
    ['0', 2],
    ['soon', 2],
    [null, 2],
  ])('is left alone as long as it says (%s): %i s, and is no outage', async (said, seconds) => {
    const screening = screeningWith(PATIENT_MS)
    await screening.screen(PARTIES)
    busyFor(said)
    const facts = { reason: 'kyt_unavailable', retryAfterSeconds: seconds }
    for (let n = 0; n < 20; n++) {
      expect(await refusalOf(screening.screen(only(address(n))))).toMatchObject({ refusal: 'unavailable', facts })
    }
    expect(() => screening.requireAvailable(only(address(99)))).toThrow('KYT screening is unavailable')
    expect(kyt.requests).toHaveLength(2 + 1)
    screening.requireAvailable(PARTIES)
    await screening.screen(PARTIES)
    expect(screening.health()).toBe('answers')
    kyt.misbehave(null)
    time += seconds * 1_000 - 1
    expect(await refusalOf(screening.screen(only(address(1))))).toMatchObject({ refusal: 'unavailable' })
    time += 1
    await screening.screen(only(address(1)))
    expect(lines).toMatchObject([{ level: 40, msg: 'the KYT service is rate limited; addresses without a verdict wait' }])
  })

  test('gets a new call right after each pause', async () => {
    const screening = screeningWith(PATIENT_MS)
    busyFor('1')
    for (let n = 0; n < 20; n++) {
      expect(await refusalOf(screening.screen(only(address(n))))).toMatchObject({ refusal: 'unavailable' })
      time += 1_000
    }
    expect(kyt.requests).toHaveLength(20)
    kyt.misbehave(null)
    await screening.screen(PARTIES)
  })

  test('by the sandbox stops the sandbox only; by production it stops the sandbox longer', async () => {
    const turns = createTurns(() => time)
    const [sandbox, production] = [turns.sandbox, turns.production].map((turn) => screeningWith(PATIENT_MS, { turn }))
    if (!sandbox || !production) throw new Error('two were made')
    busyFor('3')
    expect(await refusalOf(sandbox.screen(PARTIES))).toMatchObject({ facts: { retryAfterSeconds: 3 } })
    kyt.misbehave(null)
    await production.screen(PARTIES)
    busyFor('10')
    expect(await refusalOf(production.screen(only(address(1))))).toMatchObject({ facts: { retryAfterSeconds: 10 } })
    expect(await refusalOf(sandbox.screen(PARTIES))).toMatchObject({ facts: { retryAfterSeconds: 15 } })
    kyt.misbehave(null)
    time += 10_000
    await production.screen(only(address(1)))
    expect(await refusalOf(sandbox.screen(PARTIES))).toMatchObject({ facts: { retryAfterSeconds: 5 } })
    time += 5_000
    await sandbox.screen(PARTIES)
  })
})

test('all callers of a class share a budget of calls per minute', async () => {
  const screening = screeningWith(PATIENT_MS, { callsPerMinute: 6 })
  for (let n = 0; n < 6; n++) await screening.screen(only(address(n)), { id: `asker ${n}`, perMinute: 100 })
  const facts = { reason: 'kyt_unavailable', retryAfterSeconds: 10 }
  expect(await refusalOf(screening.screen(only(address(6))))).toMatchObject({ refusal: 'unavailable', facts })
  expect(() => screening.requireAvailable(only(address(6)))).toThrow('KYT screening is unavailable')
  await screening.screen(only(address(0)))
  expect(kyt.requests).toHaveLength(6)
  time += 10_000
  await screening.screen(only(address(6)))
  expect(screening.health()).toBe('answers')
})
