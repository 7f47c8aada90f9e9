import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { misbehaviours } from '../../test/support/service/kyt'
import {
  address,
  only,
  PARTIES,
  PATIENT_MS,
  PAY_TO,
  PAYER,
  REQUESTER,
  refusalOf,
  screeningHarness,
} from '../../test/support/service/screening'
import { noScreening } from './screening'

const { kyt, clock, screeningBy, screeningWith, askedFor } = screeningHarness()

const HASTY_MS = 200

const messageOf = async (work: Promise<void>) => (await refusalOf(work)).message

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
  ])("says that %s was flagged, and nothing of the vendor's detail", async (name, flagged) => {
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
    clock.now += 60_000
    await screening.screen(PARTIES)
    expect(kyt.requests).toHaveLength(2)
    clock.now += 1
    expect(await refusalOf(screening.screen(PARTIES))).toMatchObject({ refusal: 'forbidden' })
  })

  test('that grew old does not serve while the service fails', async () => {
    const screening = screeningWith(PATIENT_MS)
    await screening.screen(PARTIES)
    kyt.misbehave('status 500')
    clock.now += 60_001
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
