import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Receipt } from '../../chains/evm/receipts'
import type { Authorization } from '../../x402/schemes/exact/transfers'
import { type Attribution, observeRemote } from './search'

const tokenAbi = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
const asset = '0x036cbd53842c5426634e7929541ec2318f3dcf7e'
const own = '0x5555555555555555555555555555555555555555'
const otherSender = '0x6666666666666666666666666666666666666666'
const hash: Hex = `0x${'aa'.repeat(32)}`
const authorization: Authorization = {
  from: '0x1111111111111111111111111111111111111111',
  to: '0x2222222222222222222222222222222222222222',
  value: 1_000n,
  validAfter: 0n,
  validBefore: 2_000n,
  nonce: `0x${'ab'.repeat(32)}`,
}
const transfer = { method: 'eip3009', asset, authorization, signature: '0x', proof: 'key' } as const
const head = { number: 100n, hash, timestamp: 1_000n, baseFee: 1n }

const topics = (encoded: readonly unknown[]) => encoded.filter((topic): topic is Hex => typeof topic === 'string')
const { from, to, nonce } = authorization
const used = topics(encodeEventTopics({ abi: tokenAbi, eventName: 'AuthorizationUsed', args: { authorizer: from, nonce } }))
const canceled = topics(
  encodeEventTopics({ abi: tokenAbi, eventName: 'AuthorizationCanceled', args: { authorizer: from, nonce } }),
)
const moved = topics(encodeEventTopics({ abi: tokenAbi, eventName: 'Transfer', args: { from, to } }))
const paid = (value: bigint): Receipt['logs'] => [
  { address: asset, topics: used, data: '0x' },
  { address: asset, topics: moved, data: encodeAbiParameters([{ type: 'uint256' }], [value]) },
]

function receipt(changes: Partial<Receipt> = {}): Receipt {
  const facts = { block: 90n, blockHash: hash, succeeded: true, gasUsed: 1n, gasPrice: 1n, l1Fee: 0n }
  return { hash, sender: own, ...facts, logs: paid(1_000n), ...changes }
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
    expect(see([receipt({ sender: otherSender })], { reported: hash })).toBe('landed')
    expect(see([null, new Error('nonsense'), receipt()])).toBe('landed')
  })

  test.each<[string, Receipt]>([
    ['another sender made it', receipt({ sender: otherSender })],
    ['the receipt names no sender', receipt({ sender: null })],
    ['its nonce went to another transfer', receipt({ logs: paid(999n) })],
    ['the payer cancelled it', receipt({ logs: [{ address: asset, topics: canceled, data: '0x' }] })],
  ])('is displaced, deep and not before, when %s', (_, other) => {
    expect(see([other])).toBe('displaced')
    expect(see([{ ...other, block: 96n }])).toBe('waiting')
  })

  test("waits for the facilitator's sender addresses before a transfer counts as another sender's", () => {
    expect(see([receipt()], { senders: null })).toBe('waiting')
    expect(see([receipt({ logs: paid(999n) })], { senders: null })).toBe('displaced')
  })

  test('proves nothing by a failed or unrelated transaction or one of another token, reported or not', () => {
    const others = [
      receipt({ succeeded: false }),
      receipt({ logs: paid(1_000n).map((log) => ({ ...log, address: otherSender })) }),
      receipt({ logs: [] }),
    ]
    for (const other of others) expect(see([other], { reported: hash })).toBe('waiting')
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
