import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { cancelled, moved, OTHER, transfer, used } from '../../../test/support/payloads/eip3009-logs'
import type { EventLog } from '../../x402/schemes/evm-method'
import type { Rpc } from '../rpc'
import { findUse } from './uses'

const hash: Hex = `0x${'aa'.repeat(32)}`
const blockHash: Hex = `0x${'bb'.repeat(32)}`

/** What is found where the node has these logs of the use, and a receipt with those. */
function found(logs: EventLog[], inReceipt = logs, from = OTHER) {
  const of = (those: EventLog[]) => those.map((log) => ({ ...log, transactionHash: hash }))
  const gas = { gasUsed: '0x5208', effectiveGasPrice: '0x1' }
  const answers: Record<string, unknown> = {
    eth_getLogs: of(logs),
    eth_getTransactionReceipt: {
      transactionHash: hash,
      from,
      blockHash,
      blockNumber: '0x7',
      status: '0x1',
      ...gas,
      logs: of(inReceipt),
    },
    eth_getBlockByNumber: { hash: blockHash },
  }
  const rpc: Rpc = async (method) => answers[method]
  return findUse(rpc, transfer, 7n)
}

describe('the transaction that used an authorization', () => {
  test('paid, if its receipt has the transfer; and its sender may be the payer', async () => {
    expect(await found([used(), moved()])).toEqual({ hash, paid: true, byPayer: false })
    expect(await found([used(), moved()], [used(), moved()], transfer.authorization.from)).toMatchObject({ byPayer: true })
  })

  test('did not pay, if it cancelled the authorization or moved something else by it', async () => {
    expect(await found([cancelled()])).toEqual({ hash, paid: false, byPayer: false })
    expect(await found([used(), moved({ to: OTHER })])).toMatchObject({ paid: false })
    expect(await found([used(), moved({ value: 1n })])).toMatchObject({ paid: false })
  })

  test('is unknown, if its receipt lacks the log that named it or what it moved: that may be the payment', async () => {
    await expect(found([used(), moved()], [])).rejects.toThrow('a log that its receipt contradicts')
    await expect(found([used(), moved()], [used()])).rejects.toThrow('a receipt that lacks logs')
  })
})
