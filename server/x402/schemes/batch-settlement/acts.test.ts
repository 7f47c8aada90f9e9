import { type Hex, pad, toEventSelector, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { EventLog } from '../evm-method'
import { channelActs } from './acts'
import { BATCH_SETTLEMENT_CONTRACT } from './contracts'

const channelId: Hex = `0x${'c1'.repeat(32)}`
const sender = pad(`0x${'51'.repeat(20)}`)
const receiver: Hex = `0x${'d4'.repeat(20)}`
const token: Hex = `0x${'70'.repeat(20)}`
const word = (amount: bigint) => toHex(amount, { size: 32 }).slice(2)

/** A log of the contract with these amounts. */
const log = (event: string, topics: Hex[], ...amounts: bigint[]): EventLog => ({
  address: BATCH_SETTLEMENT_CONTRACT,
  topics: [toEventSelector(event), ...topics],
  data: `0x${amounts.map(word).join('')}`,
  logIndex: 3,
})

const events = {
  'batch-claim': (amount: bigint) => log('Claimed(bytes32,address,uint128,uint128)', [channelId, sender], amount, 700n),
  'batch-refund': (amount: bigint) => log('Refunded(bytes32,address,uint128)', [channelId, sender], amount),
  'batch-sweep': (amount: bigint) => log('Settled(address,address,address,uint128)', [pad(receiver), pad(token), sender], amount),
}

describe('an event proves its act only if something moved', () => {
  test.each([
    ['batch-claim', `claim,${channelId},700`],
    ['batch-refund', `refund,${channelId}`],
    ['batch-sweep', `sweep,${receiver},${token}`],
  ] as const)('%s', (method, name) => {
    const { proofsIn } = channelActs[method]
    expect(proofsIn([events[method](1n)])).toEqual([[name, 3]])
    expect(proofsIn([events[method](0n)])).toEqual([])
  })
})
