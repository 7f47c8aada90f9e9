import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { moved, OTHER, transfer, used } from '../../../test/support/payloads/eip3009-logs'
import { EXACT_PROXY } from '../../x402/schemes/permit2/contracts'
import { provesTransfer, type Receipt, readReceipt } from './receipts'

const hash: Hex = `0x${'aa'.repeat(32)}`
const { asset, authorization } = transfer

type Log = Receipt['logs'][number]

const noise: Log = { address: asset, topics: [`0x${'ee'.repeat(32)}`], data: '0x' }
const anonymous: Log = { address: asset, topics: [], data: '0x1234' }

function receipt(logs: Log[], changes: Partial<Receipt> = {}): Receipt {
  const block = { block: 7n, blockHash: hash, gasUsed: 86_000n, gasPrice: 1n, l1Fee: 0n }
  return { hash, sender: null, succeeded: true, ...block, logs, ...changes }
}

const proves = (logs: Log[], changes: Partial<Receipt> = {}) => provesTransfer(receipt(logs, changes), transfer)

describe('a receipt proves a transfer', () => {
  test('by AuthorizationUsed followed by Transfer, both of the asset', () => {
    expect(proves([used(), moved()])).toBe(true)
  })

  test('with anything else logged between the two', () => {
    expect(proves([used(), noise, { ...noise, address: OTHER }, anonymous, moved({ address: OTHER }), moved()])).toBe(true)
  })

  test('once: two members never share a Transfer', () => {
    const twin = { ...transfer, authorization: { ...authorization, nonce: `0x${'cd'.repeat(32)}` } } as const
    const both = receipt([used(), noise, used({ nonce: twin.authorization.nonce }), noise, moved()])
    expect([provesTransfer(both, transfer), provesTransfer(both, twin)]).toEqual([false, true])
  })

  test('among other transfers and other events', () => {
    const unrelated = used({ nonce: `0x${'cd'.repeat(32)}` })
    expect(proves([noise, anonymous, unrelated, moved(), used(), moved(), noise])).toBe(true)
  })

  test.each<[string, Log[]]>([
    ['no logs at all', []],
    ['the order reversed', [moved(), used()]],
    ['only Transfer', [moved()]],
    ['only AuthorizationUsed', [used()]],
    ['both of another token', [used({ address: OTHER }), moved({ address: OTHER })]],
    ['AuthorizationUsed of another token', [used({ address: OTHER }), moved()]],
    ['Transfer of another token', [used(), moved({ address: OTHER })]],
    ['another transfer of the token between the two', [used(), moved({ to: OTHER }), moved()]],
    ['one of the x402 proxy between the two', [used(), { ...noise, address: EXACT_PROXY }, moved()]],
    ['another value', [used(), moved({ value: 999n })]],
    ['another recipient', [used(), moved({ to: OTHER })]],
    ['another payer', [used(), moved({ from: OTHER })]],
    ['another authorizer', [used({ authorizer: OTHER }), moved()]],
    ['another nonce', [used({ nonce: `0x${'cd'.repeat(32)}` }), moved()]],
    ['the Transfer of the next member', [used(), used({ nonce: `0x${'cd'.repeat(32)}` }), moved()]],
    ['data that is cut short', [used(), { ...moved(), data: '0x01' }]],
  ])('but not by %s', (_, logs) => {
    expect(proves(logs)).toBe(false)
  })

  test('but not when the transaction failed', () => {
    expect(proves([used(), moved()], { succeeded: false })).toBe(false)
  })
})

describe('a receipt from a node', () => {
  const wire = {
    transactionHash: hash.toUpperCase().replace('0X', '0x'),
    from: '0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    blockHash: hash,
    blockNumber: '0x10',
    status: '0x1',
    gasUsed: '0x5208',
    effectiveGasPrice: '0x3b9aca00',
    l1Fee: '0x64',
    logs: [{ ...moved(), address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', transactionHash: hash, logIndex: '0x0' }],
    type: '0x2',
  }

  test('is read with its gas, its fee for the parent chain and its logs', () => {
    expect(readReceipt(wire, hash)).toEqual({
      hash,
      sender: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      block: 16n,
      blockHash: hash,
      succeeded: true,
      gasUsed: 21_000n,
      gasPrice: 1_000_000_000n,
      l1Fee: 100n,
      logs: [{ ...moved(), transactionHash: hash, logIndex: 0 }],
    })
    expect(readReceipt({ ...wire, l1Fee: undefined }, hash)?.l1Fee).toBe(0n)
    expect(readReceipt({ ...wire, status: '0x0' }, hash)?.succeeded).toBe(false)
    expect(readReceipt({ ...wire, from: undefined }, hash)?.sender).toBeNull()
  })

  test('is null while there is none', () => {
    expect(readReceipt(null, hash)).toBeNull()
  })

  test('of another transaction is an error, in its hash or in its logs', () => {
    const foreign = `0x${'bb'.repeat(32)}`
    expect(() => readReceipt({ ...wire, transactionHash: foreign }, hash)).toThrow('the receipt of another transaction')
    expect(() => readReceipt({ ...wire, logs: [{ ...moved(), transactionHash: foreign }] }, hash)).toThrow(
      'the receipt of another transaction',
    )
  })

  test.each([
    undefined,
    'pending',
    [],
    {},
    { ...wire, status: undefined },
    { ...wire, blockNumber: null },
    { ...wire, logs: null },
  ])('is an error when it is something else: %#', (value) => {
    expect(() => readReceipt(value, hash)).toThrow()
  })
})
