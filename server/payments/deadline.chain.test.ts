import { describe, expect, test } from 'vitest'
import { gatedHarness } from '../../test/support/nodes/gated-harness'
import { ready } from '../../test/support/service/harness'
import { HASH, newPurchase, refused, usageOf } from '../../test/support/service/purchases'
import { left, newMerchant, ownMade } from '../../test/support/service/surface'
import { until } from '../../test/support/until'

const { harness, gate } = gatedHarness({ production: true, env: { LANE_IN_FLIGHT: '1', SETTLE_DEADLINE_MS: '3000' } })

describe('POST /v1/<KEY>/settle at its deadline', () => {
  test('pending with the hash once it is signed, for its unit; 503 before, and the unit goes back to whose it is', async () => {
    const { app } = harness
    const first = await newMerchant(app)
    const signed = await newPurchase(harness)
    // An answer and not silence: what is judged meanwhile may share a request with it.
    gate.rule(({ method }) => (method === 'eth_sendRawTransaction' ? { code: -32000, message: 'txpool is full' } : null))
    const signing = first.v1.settle(signed.body)
    const prepared = { payer: signed.payer.toLowerCase(), state: 'PREPARED' }
    await until(async () => (await app.db.settlement.count({ where: prepared })) === 1, 'the first payment to be signed')

    // The signer has one transaction on its way and takes no other.
    const waiting = await Promise.all(
      [await newMerchant(app), await ownMade(app)].map(async (merchant) => ({ merchant, ...(await newPurchase(harness)) })),
    )
    const late = await Promise.all(waiting.map(({ merchant, body }) => merchant.v1.settle(body)))
    const error = 'the payment could not be sent in time; nothing was signed, send it again'
    for (const [at, { merchant, payer }] of waiting.entries()) {
      const facts = { network: 'eip155:84532', payer }
      expect([late[at]?.status, late[at]?.body]).toEqual([503, refused('settle', error, 'facilitator_unavailable', facts)])
      expect(late[at] && left(late[at]).settlements).toBe('100000')
      expect(await usageOf(app, merchant.subject)).toEqual({ used: 0, returned: 1 })
    }
    const pending = await signing
    expect([pending.status, pending.body, left(pending).settlements]).toMatchObject([
      200,
      { success: false, errorReason: 'settlement_pending', transaction: expect.stringMatching(HASH) },
      '99999',
    ])

    gate.rule(() => null)
    await ready(app)
    // The identical request joins, for no unit of its own.
    expect((await first.v1.settle(signed.body)).body).toMatchObject({ success: true })
    expect(await usageOf(app, first.subject)).toEqual({ used: 1, returned: 0 })
    for (const { merchant, body } of waiting) {
      await ready(app)
      expect((await merchant.v1.settle(body)).body).toMatchObject({ success: true })
    }
  })
})
