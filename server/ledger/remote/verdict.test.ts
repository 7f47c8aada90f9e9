import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { cancelled, moved, OTHER, transfer, used } from '../../../test/support/payloads/eip3009-logs'
import type { Receipt } from '../../chains/evm/receipts'
import { type Attribution, observeRemote } from './search'

const own = '0x5555555555555555555555555555555555555555'
const hash: Hex = `0x${'aa'.repeat(32)}`
const head = { number: 100n, hash, timestamp: 1_000n, baseFee: 1n }

function receipt(changes: Partial<Receipt> = {}): Receipt {
  const facts = { block: 90n, blockHash: hash, succeeded: true, gasUsed: 1n, gasPrice: 1n, l1Fee: 0n }
  return { hash, sender: own, ...facts, logs: [used(), moved()], ...changes }
}

const see = (receipts: (Receipt | Error | null)[], attribution: Partial<Attribution> = {}, at: Partial<typeof head> = {}) =>
  observeRemote(
    { expiresAt: 2_000n },
    transfer,
    receipts,
    { reported: null, senders: [own], ...attribution },
    {
      head: { ...head, ...at },
      depth: 5n,
    },
  ).see

describe('one check for a transfer at another facilitator', () => {
  test('has landed when one of its addresses sent it, or it reported that transaction', () => {
    expect(see([receipt()])).toBe('landed')
    expect(see([receipt({ sender: OTHER })], { reported: hash })).toBe('landed')
    expect(see([null, new Error('nonsense'), receipt()])).toBe('landed')
  })

  test.each<[string, Receipt]>([
    ['another sender made it', receipt({ sender: OTHER })],
    ['the receipt names no sender', receipt({ sender: null })],
    ['its nonce went to another transfer', receipt({ logs: [used(), moved({ value: 999n })] })],
    ['the payer cancelled it', receipt({ logs: [cancelled()] })],
  ])('is displaced, deep and not before, when %s', (_, other) => {
    expect(see([other])).toBe('displaced')
    expect(see([{ ...other, block: 96n }])).toBe('waiting')
  })

  test("waits for the facilitator's sender addresses before a transfer counts as another sender's", () => {
    expect(see([receipt()], { senders: null })).toBe('waiting')
    expect(see([receipt({ logs: [used(), moved({ value: 999n })] })], { senders: null })).toBe('displaced')
  })

  test('proves nothing by a failed or unrelated transaction or one of another token, reported or not', () => {
    const others = [
      receipt({ succeeded: false }),
      receipt({ logs: [used({ address: OTHER }), moved({ address: OTHER })] }),
      receipt({ logs: [] }),
    ]
    for (const other of others) expect(see([other], { reported: hash })).toBe('waiting')
  })

  test('waits while a receipt has the use of the authorization and not what it moved', () => {
    expect(see([receipt({ logs: [used()] })], { reported: hash })).toBe('waiting')
    expect(see([receipt({ logs: [used()] })], {}, { timestamp: 2_001n })).toBe('waiting')
  })

  test('is absent only past its end, and never while a receipt cannot be read', () => {
    const later = { timestamp: 2_001n }
    expect([see([]), see([], {}, { timestamp: 2_000n }), see([], {}, later), see([null], {}, later)]).toEqual([
      'waiting',
      'waiting',
      'absent',
      'absent',
    ])
    expect(see([new Error('nonsense')], {}, later)).toBe('waiting')
  })
})
