import { decodeJwt } from 'jose'
import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { fixture } from '../../test/support/fixture'
import { startProxiedHarness } from '../../test/support/nodes/proxied-harness'
import { newPurchase, type Purchase } from '../../test/support/service/purchases'
import { historyOf, newMerchant } from '../../test/support/service/surface'
import { until } from '../../test/support/until'

const all = fixture(() => startProxiedHarness({ production: true }))

const rowOf = async ({ payTo }: Pick<Purchase, 'payTo'>) =>
  all.harness.app.db.settlement.findFirstOrThrow({ where: { payTo: payTo.toLowerCase() } })

/** What a lookup says of a settlement, with the claims of its receipt. */
async function looked(merchant: Awaited<ReturnType<typeof newMerchant>>, id: string) {
  const [found] = Object((await merchant.v1.settlements(id)).body).settlements
  return { ...found, receipt: found.receipt && decodeJwt(found.receipt) }
}

/** A payment that is final, in a block that a reorganisation deeper than the depth then removes. The network has not finalized it. */
async function removedAfterFinal() {
  const { harness, node } = all
  let finalized = 1n
  node.disturb(async ({ method, params }) => {
    if (method !== 'eth_getBlockByNumber' || params[0] !== 'finalized') return undefined
    const { result } = await node.forward(method, [numberToHex(finalized), false])
    return { result }
  })
  const merchant = await newMerchant(harness.app)
  const purchase = await newPurchase(harness)
  const settled = await merchant.v1.settle(purchase.body)
  expect(settled.body).toMatchObject({ success: true })
  const id = settled.headers.get('x-settlement-id') ?? ''
  await until(async () => (await rowOf(purchase)).state === 'FINAL', 'the payment to be final')
  expect(await looked(merchant, id)).toMatchObject({ state: 'succeeded', finality: 'safe', receipt: { state: 'safe' } })
  const { block } = await rowOf(purchase)
  const isRemoved = async () => {
    const depth = Number((await harness.chain.client.getBlockNumber()) - (block ?? 0n)) + 1
    await harness.chain.reorganise(depth)
    return (await harness.chain.tokens(purchase.payTo)) === 0n
  }
  await until(isRemoved, 'the transfer to be off the chain')
  const finalize = async () => {
    finalized = await harness.chain.client.getBlockNumber()
  }
  return { merchant, purchase, id, block: block ?? 0n, finalize }
}

test('a final payment that a deep reorganisation removed is sent again, and is finalized in its new block', async () => {
  const { merchant, purchase, id, block, finalize } = await removedAfterFinal()
  await finalize()
  await until(async () => (await rowOf(purchase)).state !== 'FINAL', 'its block to be missed')
  await until(async () => (await rowOf(purchase)).state === 'FINAL', 'it to be final again')
  expect(await looked(merchant, id)).toMatchObject({ state: 'succeeded', finality: 'safe' })
  await finalize()
  await until(async () => (await looked(merchant, id)).finality === 'finalized', 'its new block to be finalized')
  const shown = await looked(merchant, id)
  expect(BigInt(shown.block_number)).toBeGreaterThan(block)
  expect(shown.receipt).toMatchObject({ state: 'finalized', block_number: Number(shown.block_number) })
  expect(await all.harness.chain.tokens(purchase.payTo)).toBe(1_000n)
  expect(await historyOf(all.harness, purchase.payTo)).toMatchObject([{ success: true }])
})

test('a final payment that a deep reorganisation removed for good is reversed, with a signed reversal', async () => {
  const { merchant, purchase, id, finalize } = await removedAfterFinal()
  // A replaced chain takes it no more.
  await all.harness.chain.client.increaseTime({ seconds: 3_600 })
  await finalize()
  await until(async () => (await rowOf(purchase)).state === 'REVERSED', 'it to be reversed')
  const { amount, payTo } = { amount: '1000', payTo: purchase.payTo }
  expect(await looked(merchant, id)).toMatchObject({
    state: 'failed',
    reason: 'settlement_reversed',
    finality: null,
    receipt: { settlement_id: id, state: 'reversed', amount, pay_to: payTo },
  })
  expect(await historyOf(all.harness, payTo)).toMatchObject([{ success: false, errorReason: 'settlement_reversed' }])
  expect(await all.harness.chain.tokens(payTo)).toBe(0n)
})
