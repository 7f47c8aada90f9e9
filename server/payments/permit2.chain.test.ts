import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signed, v2Body } from '../../test/support/payloads/payments'
import { createPermit2Forge, type Permit2Forge } from '../../test/support/permit2/permit2'
import { serveNoTokens, serveToken } from '../../test/support/permit2/tokens'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { newClient } from '../../test/support/service/surface'
import { until } from '../../test/support/until'

let harness: Harness
let forge: Permit2Forge
beforeAll(async () => {
  harness = await startHarness()
  forge = createPermit2Forge(harness.chain)
  serveToken(await forge.usual())
})
afterAll(async () => {
  serveNoTokens()
  await harness.close()
})

const client = () => newClient(harness.app)

describe('a payment by Permit2', () => {
  test('is settled, and the money moves once', async () => {
    const { body, payer, token } = await forge.paying()
    const caller = client()
    expect((await caller.verify(body)).body).toEqual({ isValid: true, payer })
    expect(await caller.settle(body)).toMatchObject({ status: 200, body: { success: true, amount: '1000' } })
    expect(await harness.chain.tokens(payer as `0x${string}`, token)).toBe(999_000n)
    expect((await caller.settle(body)).status).toBe(409)
    expect(await harness.chain.tokens(payer as `0x${string}`, token)).toBe(999_000n)
  })

  test('is found by payer and nonce, in decimal digits or in hex', async () => {
    const { body, payer } = await forge.paying()
    const caller = client()
    const { body: settled } = await caller.settle(body)
    const { nonce } = Object(body.paymentPayload).payload.permit2Authorization
    for (const written of [nonce, `0x${BigInt(nonce).toString(16).padStart(64, '0')}`]) {
      const { status, body: found } = await caller.find({ payer, nonce: written })
      expect([status, found]).toMatchObject([
        200,
        { settlements: [{ state: 'succeeded', transaction: Object(settled).transaction }] },
      ])
    }
  })

  test('with a permit needs no approval before', async () => {
    const { body, payer, token } = await forge.paying({ approved: false, extensions: forge.permitting() })
    expect((await client().settle(body)).body).toMatchObject({ success: true })
    expect(await harness.chain.tokens(payer, token)).toBe(999_000n)
  })

  test('shares a transaction with others, EIP-3009 payments too', async () => {
    const byPermit2 = await Promise.all(Array.from({ length: 5 }, () => forge.paying()))
    const byToken = await Promise.all(
      Array.from({ length: 3 }, async () => ({ body: v2Body(await signed(await harness.payer())) })),
    )
    const payments = [...byPermit2, ...byToken]
    const answers = await Promise.all(payments.map(({ body }) => client().settle(body)))
    expect(answers.map(({ body }) => Object(body).success)).toEqual(payments.map(() => true))
    const hashes = new Set(answers.map(({ body }) => Object(body).transaction))
    expect(hashes.size).toBeLessThan(8)
    await until(async () => (await harness.app.db.slot.count({ where: { kind: 'batch' } })) > 0, 'a batch')
  })
})
