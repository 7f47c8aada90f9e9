import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { post } from '../test/client'
import { type Harness, PAY_TO, requirements, signed, startHarness, until, v2Body } from '../test/harness'
import { newOwner, tenantOf } from '../test/history'
import { isSignedWith, type Receiver, startReceiver } from '../test/webhook-receiver'
import { newEndpoint } from '../test/webhooks'
import { mintKey, sha256 } from './services/keys'

let house: Harness
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  house = await startHarness({ production: true, env: { SETTLE_DEADLINE_MS: '1000' } })
})
afterAll(async () => {
  await house.close()
  await receiver.close()
})

/** A merchant with a key and a webhook. */
async function newMerchant(tenant: { historyEnabled?: boolean } = {}) {
  const ownerId = newOwner()
  const { db, config } = house.app
  const tenantId = await tenantOf(db, ownerId, 'oidc', tenant)
  const { id, secret: key, prefix } = mintKey()
  await db.apiKey.create({ data: { id, prefix, hash: sha256(key), tenantId } })
  const { secret } = await newEndpoint(db, config.webhookKey, { url: receiver.url, ownerId })
  return { key, secret, tenantId }
}

/** What the receiver was told of a settlement, oldest first. */
const toldOf = (id: unknown) => receiver.received.filter(({ body }) => JSON.parse(body).data.id === id)

describe('a merchant with a webhook', () => {
  test('who was answered "pending" learns the end', async () => {
    const { key, secret, tenantId } = await newMerchant()
    const payer = await house.payer()
    const payment = await signed(payer)
    await house.chain.pauseMining()
    const answer = await post(house.app, 'settle', v2Body(payment), { key })
    expect(answer).toMatchObject({ body: { success: false, errorReason: 'settlement_pending' } })
    const id = answer.headers.get('x-settlement-id')
    await house.chain.resumeMining()
    await until(() => toldOf(id).length > 0, 'the merchant to be told')
    const [received] = toldOf(id)
    expect(received && (await isSignedWith(secret, received))).toBe(true)
    expect(JSON.parse(received?.body ?? '')).toEqual({
      type: 'payment.settled',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: {
        ...{ id, success: true, tx_hash: answer.body.transaction, network: 'eip155:84532', payer_amount: '1000', tenant_id: tenantId },
        ...{ payer: payer.address, resource: 'http://merchant.test/weather', pay_to: PAY_TO, plan: 'growth', error_reason: null },
      },
    })
  })
})
