import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { address, only, PARTIES, PATIENT_MS, PAYER, refusalOf, screeningHarness } from '../../test/support/service/screening'
import { isServiceError } from '../base/errors'
import { createRateLimitPauses } from './budgets'
import { noScreening } from './screening'

const { kyt, clock, lines, log, screeningBy, screeningWith, breakIt } = screeningHarness()

describe('after five failures in a row', () => {
  test('payments are refused without a call, with a time to retry', async () => {
    const screening = screeningWith(PATIENT_MS)
    screening.requireAvailable(PARTIES)
    await breakIt(screening)
    clock.now += 1_500
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
      clock.now += 4_999
      await refusalOf(screening.screen(PARTIES))
      expect(kyt.requests).toHaveLength(calls - 1)
      clock.now += 1
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
    clock.now += 5_000
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
    clock.now += 60_000
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
      clock.now += 5_000
      await refusalOf(screening.screen(PARTIES))
    }
    kyt.misbehave(null)
    clock.now += 5_000
    await screening.screen(PARTIES)
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      [40, 'KYT screening does not answer; payments are refused'],
      [30, 'KYT screening answers again'],
    ])
    expect(log.text).not.toMatch(/url-secret|key-secret|http:|0x/)
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
    clock.now += seconds * 1_000 - 1
    expect(await refusalOf(screening.screen(only(address(1))))).toMatchObject({ refusal: 'unavailable' })
    clock.now += 1
    await screening.screen(only(address(1)))
    expect(lines).toMatchObject([{ level: 40, msg: 'the KYT service is rate limited; addresses without a verdict wait' }])
  })

  test('gets a new call right after each pause', async () => {
    const screening = screeningWith(PATIENT_MS)
    busyFor('1')
    for (let n = 0; n < 20; n++) {
      expect(await refusalOf(screening.screen(only(address(n))))).toMatchObject({ refusal: 'unavailable' })
      clock.now += 1_000
    }
    expect(kyt.requests).toHaveLength(20)
    kyt.misbehave(null)
    await screening.screen(PARTIES)
  })

  test('by the sandbox stops the sandbox only; by production it stops the sandbox longer', async () => {
    const pauses = createRateLimitPauses(() => clock.now)
    const [sandbox, production] = [pauses.sandbox, pauses.production].map((rateLimit) => screeningWith(PATIENT_MS, { rateLimit }))
    if (!sandbox || !production) throw new Error('two were made')
    busyFor('3')
    expect(await refusalOf(sandbox.screen(PARTIES))).toMatchObject({ facts: { retryAfterSeconds: 3 } })
    kyt.misbehave(null)
    await production.screen(PARTIES)
    busyFor('10')
    expect(await refusalOf(production.screen(only(address(1))))).toMatchObject({ facts: { retryAfterSeconds: 10 } })
    expect(await refusalOf(sandbox.screen(PARTIES))).toMatchObject({ facts: { retryAfterSeconds: 15 } })
    kyt.misbehave(null)
    clock.now += 10_000
    await production.screen(only(address(1)))
    expect(await refusalOf(sandbox.screen(PARTIES))).toMatchObject({ facts: { retryAfterSeconds: 5 } })
    clock.now += 5_000
    await sandbox.screen(PARTIES)
  })
})
