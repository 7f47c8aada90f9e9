import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { startSolana } from '../../../devnet/solana/solana'
import { isSend, isStatus, nameOf } from '../../../test/money/faults/svm'
import { newEndpoint } from '../../../test/support/database/webhooks'
import { fixture } from '../../../test/support/fixture'
import { startRpcProxy } from '../../../test/support/nodes/faulty-node'
import { newOwner } from '../../../test/support/service/history'
import { newMerchant } from '../../../test/support/service/surface'
import { startReceiver } from '../../../test/support/service/webhook-receiver'
import { ask, newSvmKey, SOL, startSvmHarness } from '../../../test/support/svm/harness'
import { until } from '../../../test/support/until'
import { readUsage } from '../statements/usage'

const feePayer = newSvmKey()
const receiver = fixture(startReceiver)
const mainnet = fixture(async () => {
  const solana = await startSolana({ cluster: 'mainnet', slotMs: 200, finalizedSlots: 8 })
  await solana.airdrop(feePayer.address, SOL)
  const node = await startRpcProxy(solana.url)
  const close = () => Promise.all([node.close(), solana.stop()])
  return { solana, node, close }
})
const harness = fixture(() => {
  const served = { SOLANA_RPC_URL: mainnet.node.url, SOLANA_SIGNER_KEYS: feePayer.secret, KYT: 'off' }
  return startSvmHarness({ env: { ...served, RECHECK_MS: '300' } })
})

/** The node confirms the first transaction that it is asked about, and passes no transaction on. */
function confirmFalsely(): void {
  let lies = 1
  mainnet.node.disturb((call) => {
    if (isSend(call)) return { result: nameOf(call) }
    if (!isStatus(call) || lies-- <= 0) return undefined
    const status = { slot: 7, confirmations: 1, err: null, confirmationStatus: 'confirmed' }
    return { result: { context: { slot: 7 }, value: [status] } }
  })
}

test('a reported success that never lands is reversed, and the merchant gets to know', async () => {
  const { app } = harness
  const { solana } = mainnet
  const ownerId = newOwner()
  const { v1, subject } = await newMerchant(app, { owner: { kind: 'oidc', id: ownerId } })
  await newEndpoint(app.db, app.config.webhookKey, { url: receiver.url, ownerId })
  const told = () => receiver.received.map(({ body }) => JSON.parse(body))
  const purchase = await harness.purchase({ on: solana, feePayer: feePayer.address })
  confirmFalsely()
  await solana.freeze()
  const answered = await v1.settle(purchase.body)
  expect(answered).toMatchObject({ status: 200, body: { success: true } })
  await until(() => told().length > 0, 'the message of the success')

  const { id, expiresAt } = await app.db.settlement.findFirstOrThrow({ where: { payTo: purchase.payTo } })
  const finalized = BigInt(await ask<number>(solana.url, 'getBlockHeight', [{ commitment: 'finalized' }]))
  await solana.advance(Number(expiresAt - finalized) + 1)
  const where = { payTo: purchase.payTo }
  const stateNow = async () => (await app.db.settlement.findUniqueOrThrow({ where: { id } })).state
  await until(async () => (await stateNow()) === 'REVERSED', 'the payment to be reversed')
  const { transaction } = Object(answered.body)
  expect(await app.db.history.findMany({ where })).toMatchObject([
    { success: false, errorReason: 'settlement_reversed', txHash: transaction },
  ])
  expect(await solana.tokens(purchase.payTo)).toBe(0n)
  await until(() => told().length > 1, 'the message of the reversal')
  expect(told().map(({ type, data }) => [type, data.id, data.success, data.error_reason])).toEqual([
    ['payment.settled', id, true, null],
    ['payment.reversed', id, false, 'settlement_reversed'],
  ])
  const [found] = Object((await v1.settlements(id)).body).settlements
  expect([found.state, decodeJwt(found.receipt)]).toMatchObject(['failed', { settlement_id: id, state: 'reversed' }])
  // The request was answered with a success, so its unit stays used.
  expect(await readUsage(app.db, subject)).toMatchObject({ settlement: 1 })
})
