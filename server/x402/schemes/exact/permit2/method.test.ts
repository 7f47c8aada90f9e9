import { type Hex, numberToHex, pad, toEventSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { AUTHORIZATION_USED, TRANSFER } from '../../evm-logs'
import type { EventLog } from '../../evm-method'
import { EXACT_PROXY, PERMIT2 } from '../../permit2/contracts'
import type { SignedPermit2 } from '../transfers'
import { permit2 } from './method'

const address = (byte: string): Hex => `0x${byte.repeat(20)}`
const [token, otherToken, payer, payee, other] = ['aa', 'bb', 'cc', 'dd', 'ee'].map(address) as [Hex, Hex, Hex, Hex, Hex]

const transfer: SignedPermit2 = {
  method: 'permit2',
  asset: token,
  signature: `0x${'11'.repeat(65)}`,
  proof: 'key',
  permit: null,
  approval: null,
  authorization: { from: payer, to: payee, token, spender: EXACT_PROXY, value: 1_000n, nonce: 7n, deadline: 9n, validAfter: 0n },
}

const settled = (event = 'Settled()', from: Hex = EXACT_PROXY): EventLog => ({
  address: from,
  topics: [toEventSelector(event)],
  data: '0x',
})
const moved = (change: Partial<{ asset: Hex; from: Hex; to: Hex; value: bigint; logIndex: number }> = {}): EventLog => {
  const { asset, from, to, value, logIndex } = { asset: token, from: payer, to: payee, value: 1_000n, logIndex: 3, ...change }
  return { address: asset, topics: [TRANSFER, pad(from), pad(to)], data: numberToHex(value, { size: 32 }), logIndex }
}
const used: EventLog = { address: token, topics: [AUTHORIZATION_USED, pad(payer), numberToHex(1, { size: 32 })], data: '0x' }
const name = permit2.proof(transfer)
const proven = (logs: EventLog[]) => new Map(permit2.proofsIn(logs)).get(name)

describe('a transfer by Permit2 is proven', () => {
  test.each<[string, EventLog[]]>([
    ['its Transfer and the event of the proxy', [moved(), settled()]],
    ['the event of a call with a permit', [moved(), settled('SettledWithPermit()')]],
    ['logs of the token around its Transfer', [moved({ to: other }), moved(), used, settled()]],
    ['its place behind another transfer', [moved({ from: other }), settled(), moved(), settled()]],
  ])('by %s', (_, logs) => {
    expect(proven(logs)).toBe(3)
  })

  test.each<[string, EventLog[]]>([
    ['its Transfer alone', [moved()]],
    ['the event of the proxy alone', [settled()]],
    ['the event before the Transfer', [settled(), moved()]],
    ['the same event of another contract', [moved(), settled('Settled()', other)]],
    ['another event of the proxy', [moved(), settled('Approved()')]],
    ['a Transfer of another token', [moved({ asset: otherToken }), settled()]],
    ['a Transfer of another amount', [moved({ value: 999n }), settled()]],
    ['a Transfer to another account', [moved({ to: other }), settled()]],
    ['a Transfer of another payer', [moved({ from: other }), settled()]],
    ['a Transfer that another one follows', [moved(), moved({ to: token, value: 10n }), settled()]],
    ['the Transfer of an EIP-3009 payment in the same batch', [used, moved(), settled()]],
  ])('but not by %s', (_, logs) => {
    expect(proven(logs)).toBeUndefined()
  })
})

describe('a token that lied is counted', () => {
  const names = new Set([name])
  test.each<[string, EventLog[], number]>([
    ['that logged the transfer', [moved(), settled()], 0],
    ['of a transaction without the proxy', [moved({ value: 1n })], 0],
    ['that logged nothing', [settled()], 1],
    ['that logged another amount', [moved({ value: 1_001n }), settled()], 1],
    ['that took a fee', [moved({ value: 990n }), moved({ to: token, value: 10n }), settled()], 1],
    ['among honest ones', [moved(), settled(), settled(), moved({ from: other }), settled()], 2],
  ])('%s', (_, logs, strays) => {
    expect(permit2.strays(logs, names)).toBe(strays)
  })
})

test('what the ledger stores is read as it was, and its digits are text', () => {
  const permit = { value: 1_000n, deadline: 9n, r: pad('0x01'), s: pad('0x02'), v: 27 }
  const whole: SignedPermit2 = { ...transfer, permit, approval: '0x02ff' }
  const stored = JSON.parse(JSON.stringify(permit2.store(whole)))
  expect(permit2.stored.parse({ ...stored, asset: token })).toEqual(whole)
  expect(permit2.stored.parse({ ...JSON.parse(JSON.stringify(permit2.store(transfer))), asset: token })).toEqual(transfer)
})

test('a nonce is a bit of a word: the word of its first 248 bits, the bit of its last 8', () => {
  const at = (nonce: bigint) => ({ ...transfer, authorization: { ...transfer.authorization, nonce } })
  expect(permit2.usedCall(at(515n))).toMatchObject({ to: PERMIT2 })
  expect(permit2.usedCall(at(515n)).data.endsWith(numberToHex(2, { size: 32 }).slice(2))).toBe(true)
  const isUsed = (nonce: bigint, word: bigint) => permit2.isUsed(at(nonce), numberToHex(word, { size: 32 }))
  expect([isUsed(515n, 8n), isUsed(515n, 4n), isUsed(2n ** 256n - 1n, 1n << 255n)]).toEqual([true, false, true])
})
