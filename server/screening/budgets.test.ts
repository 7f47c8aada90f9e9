import { describe, expect, test } from 'vitest'
import { address, only, PARTIES, PATIENT_MS, refusalOf, screeningHarness } from '../../test/support/service/screening'

const { kyt, clock, screeningWith, askedFor } = screeningHarness()

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
    clock.now += 15_000
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

test('all callers of a class share a budget of calls per minute', async () => {
  const screening = screeningWith(PATIENT_MS, { callsPerMinute: 6 })
  for (let n = 0; n < 6; n++) await screening.screen(only(address(n)), { id: `asker ${n}`, perMinute: 100 })
  const facts = { reason: 'kyt_unavailable', retryAfterSeconds: 10 }
  expect(await refusalOf(screening.screen(only(address(6))))).toMatchObject({ refusal: 'unavailable', facts })
  expect(() => screening.requireAvailable(only(address(6)))).toThrow('KYT screening is unavailable')
  await screening.screen(only(address(0)))
  expect(kyt.requests).toHaveLength(6)
  clock.now += 10_000
  await screening.screen(only(address(6)))
  expect(screening.health()).toBe('answers')
})
