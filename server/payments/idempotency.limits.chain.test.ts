import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isSuccess } from '../../test/support/chain/settled-once'
import { fixture } from '../../test/support/fixture'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { startHarness } from '../../test/support/service/harness'
import { newClient } from '../../test/support/service/surface'
import { until } from '../../test/support/until'

const harness = fixture(startHarness)

const CAP = 10_000
const under = (key: string) => ({ headers: { 'idempotency-key': key } })

/** Has a caller keep so many keys already. */
async function keep(scope: string, count: number): Promise<void> {
  const now = new Date()
  const data = Array.from({ length: count }, () => ({
    scope,
    key: randomUUID(),
    bodyHash: randomBytes(32),
    token: randomUUID(),
    lockedUntil: now,
  }))
  await harness.app.db.idempotency.createMany({ data })
}

/** A payment that no chain has to look at: it is refused for its signature. */
async function flawed() {
  const { authorization } = await signed(await harness.payer(0n))
  return v2Body({ authorization, signature: `0x${'11'.repeat(65)}` })
}

const keptBy = (scope: string) => harness.app.db.idempotency.count({ where: { scope } })

describe('a caller', () => {
  test('keeps 10,000 keys at most: another one is a 429, a known one is answered as before', async () => {
    const one = newClient(harness.app)
    await keep(one.subject, CAP - 1)
    const body = await flawed()
    const last = randomUUID()
    const first = await one.settle(body, under(last))
    expect([first.status, first.body]).toMatchObject([200, { success: false }])
    const refused = await one.settle(body, under(randomUUID()))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
    expect(refused.body).toMatchObject({ errorReason: 'rate_limit_exceeded' })
    const repeated = await one.settle(body, under(last))
    expect([repeated.body, repeated.headers.get('idempotent-replayed')]).toEqual([first.body, 'true'])
    expect(await keptBy(one.subject)).toBe(CAP)
  })

  test('whose keys are at an end settles without one, and leaves others theirs', async () => {
    const [full, other] = [newClient(harness.app), newClient(harness.app)]
    await keep(full.subject, CAP)
    const [without, beside] = [v2Body(await signed(await harness.payer())), v2Body(await signed(await harness.payer()))]
    // A busy machine may not sign a payment within its deadline: that one is sent again.
    await until(async () => isSuccess(await full.settle(without)), 'the payment without a key to settle')
    await until(async () => isSuccess(await other.settle(beside, under(randomUUID()))), 'the payment with a key to settle')
    expect(await keptBy(full.subject)).toBe(CAP)
    expect(await keptBy(other.subject)).toBeGreaterThan(0)
  })
})
