import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { frontRun } from '../../test/support/chain/front-run'
import { newEndpoint } from '../../test/support/database/webhooks'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { newOwner } from '../../test/support/service/history'
import { newPurchase, type Purchase } from '../../test/support/service/purchases'
import { newMerchant } from '../../test/support/service/surface'
import { isSignedWith, type Receiver, startReceiver } from '../../test/support/service/webhook-receiver'
import { until } from '../../test/support/until'
import { exampleMessage } from './example'

let harness: Harness
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  harness = await startHarness({ production: true, env: { SETTLE_DEADLINE_MS: '2000', FINALITY_DEPTH: '8' } })
})
afterEach(() => goOn())
afterAll(async () => {
  await harness.close()
  await receiver.close()
})

/** From now on only the test mines blocks. */
const hold = () => harness.chain.client.setIntervalMining({ interval: 0 })
const goOn = () => harness.chain.client.setIntervalMining({ interval: 1 })

/** A merchant with a key and a webhook. */
async function listening(settings: { historyEnabled?: boolean } = {}) {
  const ownerId = newOwner()
  const { db, config } = harness.app
  const { v1, tenantId } = await newMerchant(harness.app, { owner: { kind: 'oidc', id: ownerId }, ...settings })
  const { secret } = await newEndpoint(db, config.webhookKey, { url: receiver.url, ownerId })
  return { v1, secret, tenantId }
}

const toldOf = (id: string | null) => receiver.received.filter(({ body }) => JSON.parse(body).data.id === id)
const eventsOf = (id: string | null) => toldOf(id).map(({ body }) => JSON.parse(body).type)
const toldTimes = (id: string | null, times: number) =>
  until(() => toldOf(id).length >= times, `${times} messages about the settlement`, 60_000)
const keysOf = (body = '{}') => {
  const message = JSON.parse(body)
  return [Object.keys(message), Object.keys(message.data)]
}
const stateOf = async ({ payer }: Purchase) =>
  (await harness.app.db.settlement.findFirst({ where: { payer: payer.toLowerCase() } }))?.state

describe('a merchant with a webhook', () => {
  test('delivers the outcome after a "pending" response, with a valid signature', async () => {
    const { v1, secret, tenantId } = await listening()
    const { body, payer, payTo } = await newPurchase(harness)
    await hold()
    const answer = await v1.settle(body)
    expect(answer).toMatchObject({ status: 200, body: { success: false, errorReason: 'settlement_pending' } })
    const id = answer.headers.get('x-settlement-id')
    expect(toldOf(id)).toEqual([])
    await goOn()
    await toldTimes(id, 1)
    const [received] = toldOf(id)
    expect(received && (await isSignedWith(secret, received))).toBe(true)
    const { txHash } = await harness.app.db.settlement.findUniqueOrThrow({ where: { id: id ?? '' } })
    expect(txHash).toMatch(/^0x[0-9a-f]{64}$/)
    // While no block comes, a transaction may be replaced: the pending response names one that carried the payment, or none yet.
    const named = Object(answer.body).transaction
    const carrying = { members: { some: { settlementId: id ?? '' } } }
    if (named !== '') expect(await harness.app.db.attempt.count({ where: { hash: named, slot: carrying } })).toBe(1)
    expect(JSON.parse(received?.body ?? '')).toEqual({
      type: 'payment.settled',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: {
        id,
        success: true,
        tx_hash: txHash,
        network: 'eip155:84532',
        payer_amount: '1000',
        asset: 'USDC',
        decimals: 6,
        tenant_id: tenantId,
        payer,
        resource: 'http://merchant.test/weather',
        pay_to: payTo,
        plan: 'growth',
        error_reason: null,
        error_message: null,
        nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        block_number: expect.any(Number),
        log_index: expect.any(Number),
        finality: 'included',
        receipt_url: null,
      },
    })
  })

  test('sends what the example message shows: the same headers, and the same fields in the same order', async () => {
    const { v1 } = await listening()
    const { headers } = await v1.settle((await newPurchase(harness)).body)
    const id = headers.get('x-settlement-id')
    await toldTimes(id, 1)
    const [received] = toldOf(id)
    const example = exampleMessage()
    expect(keysOf(received?.body)).toEqual(keysOf(example.body))
    expect(Object.keys(received?.headers ?? {})).toEqual(expect.arrayContaining(Object.keys(example.headers)))
    expect(await isSignedWith(example.secret, { path: '/', ...example })).toBe(true)
  })

  test('delivers the reversal of a payment that was reported as settled', async () => {
    const { v1 } = await listening()
    const purchase = await newPurchase(harness)
    await harness.chain.mine(6)
    await hold()
    const settling = v1.settle(purchase.body)
    await until(async () => (await stateOf(purchase)) === 'BROADCAST', 'it to be sent')
    await harness.chain.mine(1)
    const id = (await settling).headers.get('x-settlement-id')
    await toldTimes(id, 1)
    await harness.chain.reorganise(1)
    await frontRun(harness.chain, purchase.payment)
    await goOn()
    await until(async () => (await stateOf(purchase)) === 'REVERSED', 'it to be reversed', 60_000)
    await toldTimes(id, 2)
    expect(eventsOf(id)).toEqual(['payment.settled', 'payment.reversed'])
    expect(JSON.parse(toldOf(id)[1]?.body ?? '').data).toMatchObject({ success: false, error_reason: 'settlement_reversed' })
    // The lookup has a signed reversal.
    const [found] = Object((await v1.settlements(id ?? '')).body).settlements
    expect([found.state, decodeJwt(found.receipt)]).toMatchObject([
      'failed',
      { settlement_id: id, state: 'reversed', amount: '1000' },
    ])
  })

  test('delivers when the network has finalized the block of a settled payment, once', async () => {
    const { v1 } = await listening()
    const id = (await v1.settle((await newPurchase(harness)).body)).headers.get('x-settlement-id')
    await toldTimes(id, 1)
    await until(
      async () => (await harness.app.db.outbox.count({ where: { kind: 'finality', key: id ?? '' } })) === 1,
      'it to be final',
    )
    expect(eventsOf(id)).toEqual(['payment.settled'])
    await harness.chain.mine(80)
    await toldTimes(id, 2)
    expect(eventsOf(id)).toEqual(['payment.settled', 'payment.finalized'])
    expect(JSON.parse(toldOf(id)[1]?.body ?? '').data).toMatchObject({ success: true, finality: 'finalized', error_reason: null })
    expect(await harness.app.db.outbox.count({ where: { kind: 'finality', key: id ?? '', doneAt: null } })).toBe(0)
  })

  test('delivers for a key without history, and stores nothing of it', async () => {
    const { v1, tenantId } = await listening({ historyEnabled: false })
    const answer = await v1.settle((await newPurchase(harness)).body)
    expect(answer.body).toMatchObject({ success: true })
    const id = answer.headers.get('x-settlement-id')
    await toldTimes(id, 1)
    const { db } = harness.app
    const ended = () => db.webhookDelivery.count({ where: { state: 'delivered', kept: false, body: null, settlementId: null } })
    await until(async () => (await ended()) === 1, 'the delivery to be emptied')
    expect(await db.history.count({ where: { tenantId } })).toBe(0)
  })
})
