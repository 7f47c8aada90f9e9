import { decodeJwt } from 'jose'
import { SettleResponseSchema } from 'mppx/x402'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { newEndpoint } from '../../test/support/database/webhooks'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { newOwner } from '../../test/support/service/history'
import { newPurchase } from '../../test/support/service/purchases'
import { newMerchant } from '../../test/support/service/surface'
import { type Receiver, startReceiver } from '../../test/support/service/webhook-receiver'
import { until } from '../../test/support/until'
import { withdrawLink, writeKeyLink } from '../ledger/statements/receipt-links'
import { publicReceipt } from './public-receipts'

let harness: Harness
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  harness = await startHarness({ production: true })
})
afterAll(async () => {
  await harness.close()
  await receiver.close()
})

const answered = z.object({
  extensions: z.object({
    'settlement-receipt': z.object({ info: z.object({ receipt: z.string(), url: z.string().optional() }) }),
  }),
})
const infoOf = (body: unknown) => answered.parse(body).extensions['settlement-receipt'].info

/** A payment of a new key with a webhook: what settle answered, and what the webhook got. */
async function settled(settings: { publicReceipts?: boolean; historyEnabled?: boolean }) {
  const ownerId = newOwner()
  const { v1, tenantId } = await newMerchant(harness.app, { owner: { kind: 'oidc', id: ownerId }, ...settings })
  await newEndpoint(harness.app.db, harness.app.config.webhookKey, { url: receiver.url, ownerId })
  const { body } = await newPurchase(harness)
  const answer = await v1.settle(body)
  const id = answer.headers.get('x-settlement-id') ?? ''
  const told = () => receiver.received.map((one) => JSON.parse(one.body)).find(({ data }) => data.id === id)
  await until(() => told() !== undefined, 'the webhook', 60_000)
  return { id, tenantId, body: answer.body, info: infoOf(answer.body), told: told().data.receipt_url }
}

test('a key with public receipts gets the page in its answer and in its webhook: the same one', async () => {
  const { body: answer, info, told } = await settled({ publicReceipts: true })
  expect(info.url).toMatch(/\/r\/[\w-]{22}$/)
  expect(told).toBe(info.url)
  // The strictest client accepts the field.
  expect(SettleResponseSchema.parse(answer).extensions).toEqual({ 'settlement-receipt': { info, schema: expect.anything() } })
  const headers = new Headers({ 'x-quittance-client-ip': '10.9.8.7' })
  const page = await publicReceipt(harness.app, headers, String(info.url).slice(-22))
  if (page === null || 'refused' in page) throw new Error('no page')
  expect(decodeJwt(page.receipt).settlement_id).toBe(decodeJwt(info.receipt).settlement_id)
})

test('a withdrawn page stays withdrawn when its key reports the payment once more', async () => {
  const { id, tenantId } = await settled({ publicReceipts: true })
  expect(await withdrawLink(harness.app.db, id, 'merchant')).toBe(true)
  expect(await writeKeyLink(harness.app.db, id, tenantId)).toBeNull()
})

test('no other key shares its receipts, and none without history', async () => {
  for (const settings of [{}, { publicReceipts: true, historyEnabled: false }]) {
    const { id, info, told } = await settled(settings)
    expect([info.url, told]).toEqual([undefined, null])
    expect(await harness.app.db.receiptLink.count({ where: { settlementId: id } })).toBe(0)
  }
})
