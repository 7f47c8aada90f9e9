import { BlockNotFoundError } from 'viem'
import { describe, expect, test } from 'vitest'
import { fixture } from '../../../test/support/fixture'
import { startRemoteHarness } from '../../../test/support/nodes/remote-harness'
import { signed, v2Body } from '../../../test/support/payloads/payments'
import { newPurchase } from '../../../test/support/service/purchases'
import { historyOf, newClient } from '../../../test/support/service/surface'
import { until } from '../../../test/support/until'

// So deep that nothing becomes final before a test undoes it.
const all = fixture(() => startRemoteHarness({ env: { FINALITY_DEPTH: '40' } }, ['SANDBOX']))

const stateOf = async (payTo: string) =>
  (await all.harness.app.db.settlement.findFirstOrThrow({ where: { payTo: payTo.toLowerCase() } })).state

/** Removes the blocks since a transaction from the chain, with the transaction. */
async function undo(hash: `0x${string}`): Promise<void> {
  const { chain } = all.harness
  const { blockNumber } = await chain.client.getTransactionReceipt({ hash })
  // A block that comes between the count and the reorganisation leaves the transaction's own standing.
  await until(async () => {
    const depth = Number((await chain.client.getBlockNumber()) - blockNumber) + 1
    if (depth > 0) await chain.reorganise(depth)
    // Missing until the chain has made its new blocks.
    const block = await chain.client.getBlock({ blockNumber, includeTransactions: false }).catch(unlessMissing)
    return block?.transactions.length === 0
  }, 'the transaction to be off the chain')
}

function unlessMissing(cause: unknown): null {
  if (cause instanceof BlockNotFoundError) return null
  throw cause
}

describe('a reorganisation removes a transfer of another facilitator', () => {
  test('and it lands again: still one success, with the new hash', async () => {
    const { payTo, body } = await newPurchase(all.harness)
    const { transaction } = Object((await newClient(all.harness.app).settle(body)).body)
    const raw = await all.harness.chain.client.request<Raw>({ method: 'eth_getRawTransactionByHash', params: [transaction] })
    await undo(transaction)
    await until(async () => (await stateOf(payTo)) === 'BROADCAST', 'the transfer to be in flight again')
    await all.harness.chain.client.sendRawTransaction({ serializedTransaction: raw }).catch(() => {})
    await until(async () => (await stateOf(payTo)) === 'INCLUDED', 'the transfer to land again')
    expect([await all.harness.chain.tokens(payTo), await historyOf(all.harness, payTo)]).toMatchObject([
      1_000n,
      [{ success: true, txHash: transaction }],
    ])
  })

  test('beside one that only a newer build can read: that one is left as it is, and the other lands again', async () => {
    const [newer, known] = [await newPurchase(all.harness), await newPurchase(all.harness)]
    const { db } = all.harness.app
    await newClient(all.harness.app).settle(newer.body)
    const { id } = await db.settlement.findFirstOrThrow({ where: { payTo: newer.payTo.toLowerCase() } })
    await db.settlement.update({
      where: { id },
      data: { transfer: { method: 'of a newer build' }, state: 'BROADCAST', nextCheckAt: new Date() },
    })
    const { transaction } = Object((await newClient(all.harness.app).settle(known.body)).body)
    const raw = await all.harness.chain.client.request<Raw>({ method: 'eth_getRawTransactionByHash', params: [transaction] })
    await undo(transaction)
    await until(async () => (await stateOf(known.payTo)) === 'BROADCAST', 'the transfer to be in flight again')
    await all.harness.chain.client.sendRawTransaction({ serializedTransaction: raw }).catch(() => {})
    await until(async () => (await stateOf(known.payTo)) === 'INCLUDED', 'the transfer to land again')
    expect(await stateOf(newer.payTo)).toBe('BROADCAST')
  })

  test('and it is not sent again: reversed, with the history row corrected', async () => {
    const { payTo } = await newPurchase(all.harness)
    const validBefore = (await all.harness.chain.client.getBlock()).timestamp + 120n
    const body = v2Body(await signed(await all.harness.payer(), { to: payTo, validBefore }), { requirements: { payTo } })
    const { transaction } = Object((await newClient(all.harness.app).settle(body)).body)
    await undo(transaction)
    await all.harness.chain.client.increaseTime({ seconds: 120 })
    await until(async () => (await stateOf(payTo)) === 'REVERSED', 'the settlement to be reversed', 90_000)
    expect([await all.harness.chain.tokens(payTo), await historyOf(all.harness, payTo)]).toMatchObject([
      0n,
      [{ success: false, errorReason: 'settlement_reversed' }],
    ])
  })
})

type Raw = { Method: 'eth_getRawTransactionByHash'; Parameters: [string]; ReturnType: `0x${string}` }
