import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { usdcAbi } from '../../devnet/abi'
import { type FlashView, startFlashView } from '../../devnet/flash'
import { type RpcProxy, startRpcProxy } from '../../test/support/nodes/faulty-node'
import { type SignedPayment, signed, v2Body } from '../../test/support/payloads/payments'
import { type Harness, startHarness } from '../../test/support/service/harness'
import { type Merchant, newMerchant } from '../../test/support/service/surface'
import { until } from '../../test/support/until'

// Blocks are slow here, so that a preconfirmation is clearly earlier than its block.
let harness: Harness
let view: FlashView
let front: RpcProxy
let node: RpcProxy
let merchant: Merchant
beforeAll(async () => {
  const env: Record<string, string> = { RECHECK_MS: '300', FLASH_DEADLINE_MS: '2500' }
  harness = await startHarness({
    production: true,
    blockTimeSeconds: 2,
    env,
    async rpcUrl(chain) {
      view = await startFlashView(chain)
      ;[front, node] = await Promise.all([startRpcProxy(view.url), startRpcProxy(chain.url)])
      env.BASE_SEPOLIA_FLASH_RPC_URL = front.url
      return node.url
    },
  })
  merchant = await newMerchant(harness.app)
})
afterEach(() => {
  view.hold(false)
  front.disturb(() => undefined)
  node.disturb(() => undefined)
})
afterAll(async () => {
  await harness.close()
  await Promise.all([view.stop(), front.close(), node.close()])
})

const rowOf = ({ authorization: { from } }: SignedPayment) =>
  harness.app.db.settlement.findFirstOrThrow({
    where: { payer: from.toLowerCase() },
    include: { steps: { orderBy: { seq: 'asc' } } },
  })
const historyOf = ({ authorization: { from } }: SignedPayment) =>
  harness.app.db.history.findMany({ where: { payer: from.toLowerCase() } })
const newPayment = async (balance?: bigint) => signed(await harness.payer(balance))

describe('POST /v1/<KEY>/flash/settle', () => {
  test('succeeds at the preconfirmation, before any block, and is final when its block is deep', async () => {
    const payment = await newPayment()
    const { client } = harness.chain
    await client.setIntervalMining({ interval: 0 })
    onTestFinished(() => client.setIntervalMining({ interval: 1 }))
    const before = await harness.chain.client.getBlockNumber()
    const answer = await merchant.flash.settle(v2Body(payment))
    expect(answer.body).toMatchObject({ success: true, network: 'eip155:84532' })
    const preconfirmed = await rowOf(payment)
    expect([preconfirmed.state, preconfirmed.tier, await historyOf(payment)]).toMatchObject([
      'PRECONFIRMED',
      'flash',
      [{ success: true, plan: 'growth' }],
    ])
    expect(await harness.chain.client.getBlockNumber()).toBe(before)
    await harness.chain.client.setIntervalMining({ interval: 1 })
    await until(async () => (await rowOf(payment)).state === 'FINAL', 'the payment to be final')
    expect((await rowOf(payment)).steps.map(({ to }) => to).filter((to) => to !== 'BROADCAST')).toEqual([
      'CLAIMED',
      'PREPARED',
      'PRECONFIRMED',
      'INCLUDED',
      'FINAL',
    ])
    expect(await historyOf(payment)).toMatchObject([{ success: true, txHash: (await rowOf(payment)).txHash }])
  })

  test('is answered at its block below /v1, where a retry asks again', async () => {
    const { client } = harness.chain
    const payment = await newPayment()
    view.hold(true)
    await client.setIntervalMining({ interval: 0 })
    onTestFinished(() => client.setIntervalMining({ interval: 1 }))
    const { body } = await merchant.flash.settle(v2Body(payment))
    expect(body).toMatchObject({ success: false, errorReason: 'settlement_pending' })
    const retry = merchant.v1.settle(v2Body(payment))
    view.hold(false)
    await until(async () => (await rowOf(payment)).state === 'PRECONFIRMED', 'the preconfirmation')
    await client.setIntervalMining({ interval: 1 })
    expect((await retry).body).toMatchObject({ success: true, extra: { finality: 'included' } })
  })

  test('is pending with the hash at its deadline without a preconfirmation, and lands all the same', async () => {
    view.hold(true)
    for (const blind of [node, front])
      blind.disturb(({ method }) => (method === 'eth_getTransactionReceipt' ? { result: null } : undefined))
    const payment = await newPayment()
    const { body } = await merchant.flash.settle(v2Body(payment))
    expect(body).toMatchObject({ success: false, errorReason: 'settlement_pending', transaction: expect.stringMatching(/^0x/) })
    for (const seeing of [node, front]) seeing.disturb(() => undefined)
    await until(async () => ['INCLUDED', 'FINAL'].includes((await rowOf(payment)).state), 'the payment to land')
    expect((await merchant.flash.settle(v2Body(payment))).body).toMatchObject({ success: true })
  })

  test('whose preconfirmation fails, because the money was spent in the block instead, is REVERSED and its history row corrected', async () => {
    const payer = await harness.payer(1_000n)
    const payment = await signed(payer)
    await harness.chain.client.setIntervalMining({ interval: 0 })
    try {
      expect((await merchant.flash.settle(v2Body(payment))).body).toMatchObject({ success: true })
      expect(await historyOf(payment)).toMatchObject([{ success: true }])
      await spendAhead(payer)
      await harness.chain.mine(8)
      await until(
        async () => {
          await harness.chain.mine(1)
          return (await rowOf(payment)).state === 'REVERSED'
        },
        'the payment to be reversed',
        undefined,
        200,
      )
    } finally {
      await harness.chain.client.setIntervalMining({ interval: 1 })
    }
    expect(await historyOf(payment)).toMatchObject([{ success: false, errorReason: 'settlement_reversed' }])
  })

  test('502 when the preconfirming endpoint is down, with the unit given back, while the ordinary prefix works', async () => {
    front.disturb(() => 'cut')
    const payment = await newPayment()
    const answer = await merchant.flash.settle(v2Body(payment))
    expect([answer.status, answer.body]).toMatchObject([
      502,
      { success: false, errorReason: 'upstream_unreachable', transaction: '' },
    ])
    expect((await merchant.v1.settle(v2Body(payment))).body).toMatchObject({ success: true })
  })

  test('is listed below its prefix', async () => {
    expect((await merchant.flash.supported()).body).toMatchObject({
      kinds: [
        { network: 'eip155:84532', scheme: 'exact' },
        { network: 'eip155:84532', scheme: 'upto' },
        { network: 'eip155:84532', scheme: 'batch-settlement' },
        { network: 'base-sepolia', scheme: 'exact' },
      ],
    })
  })
})

/** The payer's own transfer of everything, ahead of ours in the next block. */
async function spendAhead(payer: Awaited<ReturnType<Harness['payer']>>): Promise<void> {
  await harness.chain.fund(payer.address, 10n ** 18n)
  await harness.chain.client.writeContract({
    account: payer,
    chain: harness.chain.client.chain,
    address: harness.chain.usdc,
    abi: usdcAbi,
    functionName: 'transfer',
    args: [privateKeyToAccount(generatePrivateKey()).address, 1_000n],
    nonce: 0,
    gas: 150_000n,
    maxPriorityFeePerGas: 10n ** 9n,
    maxFeePerGas: 10n ** 10n,
  })
}
