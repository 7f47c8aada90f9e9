import { type Hex, parseGwei, parseTransaction } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { createEvmChain } from '../../chains/evm/chain'
import { feesAt } from '../../chains/evm/gas'
import { createSigner } from '../../chains/evm/signer'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { writeTransfer } from '../../x402/schemes/evm-methods'
import type { NewAttempt } from '../statements/slots'
import { replacementOf } from './sending'
import { tracking } from './tracked'

const NOW = 1_800_000_000n
const MOST = parseGwei('100')
const network = 'eip155:84532'
const chain = createEvmChain(network, () => Promise.reject(new Error('no node is asked')))
const signer = createSigner(generatePrivateKey())
const asset = '0x036cbd53842c5426634e7929541ec2318f3dcf7e'

const authorization = { from: signer.address, to: asset, value: 1n, validAfter: 0n, validBefore: NOW + 60n } as const
const transfer: SignedTransfer = {
  method: 'eip3009',
  asset,
  proof: 'key',
  signature: `0x${'11'.repeat(65)}`,
  authorization: { ...authorization, nonce: `0x${'22'.repeat(32)}` },
}

/** A stuck payment whose newest transaction has these fees, and what replaces it. */
function replacing({
  fees = feesAt(network, parseGwei('1')),
  expiresAt = NOW + 60n,
  baseFee = parseGwei('1'),
  balance = 10n ** 18n,
  beside = [],
}: {
  fees?: ReturnType<typeof feesAt>
  expiresAt?: bigint
  baseFee?: bigint
  balance?: bigint
  beside?: readonly object[]
}) {
  const member = { settlementId: 'one', state: 'BROADCAST', tier: 'standard', asset, expiresAt, claimedAt: NOW } as const
  const attempts: NewAttempt[] = [chain.sign(signer, 7n, [transfer], fees, false)]
  const place = { slotId: 'slot', laneId: 'lane', network, signer: signer.address, nonce: 7n }
  const members = [writeTransfer(transfer), ...beside].map((one) => ({ ...member, transfer: one }))
  const slot = { ...place, attempts, members }
  const head = { number: 9n, hash: `0x${'33'.repeat(32)}` as Hex, timestamp: NOW, baseFee }
  const time = { now: () => NOW, horizonMs: 60_000 }
  return replacementOf({ chain, signer, head, balance, ...time }, tracking(slot, { signedAt: 0, sentAt: 0, leaving: false }))
}

const hopeless = { expiresAt: NOW - 1n }
const atMost = feesAt(network, MOST)

describe('a stuck payment', () => {
  test('is signed again with fees that nodes take in the place of the earlier ones', () => {
    expect(replacing({})).toMatchObject({ kind: 'pay' })
  })

  test('waits at the most that its network may cost, and where the balance does not cover more', () => {
    expect(replacing({ fees: atMost })).toBeNull()
    expect(replacing({ baseFee: MOST + 1n })).toBeNull()
    expect(replacing({ balance: 1n })).toBeNull()
  })

  test('waits if only a newer build can read all its members: other bytes would leave them out', () => {
    expect(replacing({ beside: [{ method: 'of a newer build' }] })).toBeNull()
  })
})

describe('a stuck payment that cannot land any more', () => {
  test.each([
    ['has usual fees', {}],
    ['is at the most that its network may cost', { fees: atMost }],
    ['is at that, and the base fee rose above it', { fees: atMost, baseFee: 2n * MOST }],
    ['is at that, and a node names a base fee that no balance covers', { fees: atMost, baseFee: 10n ** 24n }],
    ['has a fee that no balance covers', { fees: { maxFeePerGas: 10n ** 24n, tipPerGas: 1n } }],
  ])('and %s: a no-op that the balance covers takes its place', (_, facts) => {
    const balance = 10n ** 17n
    const signed = replacing({ ...hopeless, ...facts, balance })
    expect(signed).toMatchObject({ kind: 'noop' })
    if (!signed) throw new Error('nothing was signed')
    expect(parseTransaction(signed.raw)).toMatchObject({ nonce: 7, to: signer.address })
    expect(chain.mostOf(signed)).toBeLessThanOrEqual(balance)
  })

  test('waits for a balance when there is none', () => {
    expect(replacing({ ...hopeless, balance: 0n })).toBeNull()
  })
})
