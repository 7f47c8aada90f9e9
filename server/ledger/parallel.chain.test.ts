import { describe, expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { PAY_TO, signed, v2Body } from '../../test/support/payloads/payments'
import { post } from '../../test/support/service/client'
import { startHarness } from '../../test/support/service/harness'

const harness = fixture(startHarness)

describe('payments in parallel', () => {
  test('50 identical settles give one success, 49 conflicts and one transfer', async () => {
    const payer = await harness.payer()
    const body = v2Body(await signed(payer))
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(harness.app, 'settle', body)))
    expect(answers.filter(({ status, body }) => status === 200 && body.success === true)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
    expect(await harness.chain.tokens(payer.address)).toBe(999_000n)
    expect(await harness.app.db.settlement.count({ where: { payer: payer.address.toLowerCase() } })).toBe(1)
    expect(await harness.app.db.history.count({ where: { payer: payer.address.toLowerCase() } })).toBe(1)
  })

  test('100 different payments all settle, in far fewer transactions, whose nonces have no gap', async () => {
    const payer = await harness.payer()
    const before = await harness.chain.tokens(PAY_TO)
    const bodies = await Promise.all(Array.from({ length: 100 }, async () => v2Body(await signed(payer))))
    const answers = await Promise.all(bodies.map((body) => post(harness.app, 'settle', body)))
    expect(answers.map(({ body }) => body.errorReason).filter(Boolean)).toEqual([])
    expect(new Set(answers.map(({ body }) => body.transaction)).size).toBeLessThan(50)
    expect(await harness.chain.tokens(PAY_TO)).toBe(before + 100_000n)
    const slots = await harness.app.db.slot.findMany({ orderBy: { nonce: 'asc' } })
    expect(slots.map(({ nonce }) => nonce)).toEqual(slots.map((_, at) => BigInt(at)))
  })

  test('every settlement ends FINAL, with its steps in order', async () => {
    await expect.poll(() => harness.app.db.settlement.count({ where: { state: { not: 'FINAL' } } }), { timeout: 15_000 }).toBe(0)
    const [settlement] = await harness.app.db.settlement.findMany({ take: 1, include: { steps: { orderBy: { seq: 'asc' } } } })
    const states = settlement?.steps.map(({ to }) => to).filter((to) => to !== 'BROADCAST')
    expect(states).toEqual(['CLAIMED', 'PREPARED', 'INCLUDED', 'FINAL'])
  })
})
