import { hashTypedData } from 'viem'
import { describe, expect, onTestFinished, test } from 'vitest'
import { addNetwork, networkRow, resetNetworks } from '../../../networks/networks'
import type { Eip3009Payment, Payment } from '../../../payment'
import { type Reason, reasons } from '../../../reasons/reasons'
import { brokenForm as brokenFormAt, brokenTerms, brokenTimelessTerms, whyUnserved } from '../../evm-methods'
import type { Authorization } from '../transfers'
import { authorizationHash } from './rules'

const NOW = 1_800_000_000n
const at = (now: bigint) => ({ earliest: now, latest: now })

const authorization: Authorization = {
  from: '0x1111111111111111111111111111111111111111',
  to: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
  value: 1_000n,
  validAfter: 0n,
  validBefore: NOW + 300n,
  nonce: `0x${'ab'.repeat(32)}`,
}

function payment(changes: Partial<Eip3009Payment> = {}, signed: Partial<Authorization> = {}): Eip3009Payment {
  return {
    x402Version: 2,
    scheme: 'exact',
    claimed: { scheme: 'exact', network: 'eip155:84532' },
    network: 'eip155:84532',
    spelling: 'eip155:84532',
    amount: 1_000n,
    asset: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
    payTo: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
    resource: '',
    domain: { name: 'USDC', version: '2' },
    transfer: {
      kind: 'eip3009',
      authorization: { ...authorization, ...signed },
      signature: '0x',
      writtenFrom: authorization.from,
    },
    declared: {},
    ...changes,
  }
}

const PERMIT2: Payment['transfer'] = { kind: 'other', payload: 'permit2' }
const brokenForm = (payment: Eip3009Payment) => brokenFormAt(payment, at(NOW))

describe('the form of a payment', () => {
  test('holds for a valid one', () => {
    expect(brokenForm(payment())).toBeNull()
  })

  // Each row breaks its own rule and every one below it.
  test.each<[Reason, Partial<Payment>]>([
    ['unsupported_payload_type', { transfer: PERMIT2, scheme: 'deferred', domain: null, claimed: { scheme: 'x', network: 'y' } }],
    ['unsupported_scheme', { scheme: 'deferred', domain: null, claimed: { scheme: 'deferred', network: 'eip155:8453' } }],
    ['invalid_exact_evm_scheme', { scheme: 'other', domain: null, claimed: { scheme: 'other', network: 'eip155:8453' } }],
    ['invalid_exact_evm_scheme', { domain: null, claimed: { scheme: 'upto', network: 'eip155:8453' } }],
    ['invalid_exact_evm_missing_eip712_domain', { domain: null, claimed: { scheme: 'exact', network: 'eip155:8453' } }],
    ['invalid_exact_evm_network_mismatch', { claimed: { scheme: 'exact', network: 'eip155:8453' } }],
  ])('%s is reported before later checks', (reason, changes) => {
    expect(whyUnserved({ ...payment(), ...changes })).toEqual({ reason, message: reasons[reason] })
  })

  test.each(['auth-capture', 'deferred'])('%s is a scheme that we know and do not serve', (scheme) => {
    expect(brokenForm(payment({ scheme }))?.reason).toBe('unsupported_scheme')
  })
})

describe('the terms of a payment', () => {
  const other: Authorization['to'] = '0x2222222222222222222222222222222222222222'
  const wrongDomain = { domain: { name: 'USD Coin', version: '1' } }
  const past = { validBefore: NOW, validAfter: NOW + 1n, value: 1n }

  test('hold for a valid one', () => {
    expect(brokenTerms(payment(), at(NOW))).toBeNull()
    expect(brokenTimelessTerms(payment())).toBeNull()
  })

  test.each<[Reason, Eip3009Payment]>([
    ['invalid_exact_evm_recipient_mismatch', payment(wrongDomain, { ...past, to: other })],
    ['invalid_exact_evm_payload_authorization_valid_before', payment(wrongDomain, past)],
    ['invalid_exact_evm_payload_authorization_valid_after', payment(wrongDomain, { ...past, validBefore: NOW + 6n })],
    ['invalid_exact_evm_payload_authorization_value_mismatch', payment(wrongDomain, { value: 1n })],
    ['invalid_exact_evm_authorization_value', payment({ ...wrongDomain, x402Version: 1 }, { value: 1n })],
    ['invalid_exact_evm_token_name_mismatch', payment(wrongDomain)],
    ['invalid_exact_evm_token_version_mismatch', payment({ domain: { name: 'USDC', version: '1' } })],
  ])('%s is reported before later checks', (reason, broken) => {
    expect(brokenTerms(broken, at(NOW))).toEqual({ reason, message: reasons[reason] })
  })

  test.each([999n, 1_001n, 0n])('the value must be the amount, not %s', (value) => {
    expect(brokenTerms(payment({}, { value }), at(NOW))?.reason).toBe('invalid_exact_evm_payload_authorization_value_mismatch')
    expect(brokenTimelessTerms(payment({}, { value }))?.reason).toBe('invalid_exact_evm_payload_authorization_value_mismatch')
  })

  test('an authorization must stay usable for six seconds by the later of two clocks', () => {
    const reasonAt = (validBefore: bigint, clock = at(NOW)) => brokenTerms(payment({}, { validBefore }), clock)?.reason
    const expired = 'invalid_exact_evm_payload_authorization_valid_before'
    expect(reasonAt(NOW + 6n)).toBeUndefined()
    expect(reasonAt(NOW + 5n)).toBe(expired)
    expect(reasonAt(NOW - 1n)).toBe(expired)
    expect(reasonAt(NOW + 6n, { earliest: NOW, latest: NOW + 1n })).toBe(expired)
    expect(reasonAt(2n ** 256n - 1n)).toBeUndefined()
  })

  test.each([
    [0.25, 6n],
    [2, 6n],
    [2.1, 7n],
    [5, 12n],
    [12, 26n],
  ])('with blocks every %s s it must stay usable for %s s', (blockSeconds, margin) => {
    onTestFinished(resetNetworks)
    addNetwork({ ...networkRow('eip155:84532'), blockSeconds })
    const reasonAt = (validBefore: bigint) => brokenTerms(payment({}, { validBefore }), at(NOW))?.reason
    expect(reasonAt(NOW + margin)).toBeUndefined()
    expect(reasonAt(NOW + margin - 1n)).toBe('invalid_exact_evm_payload_authorization_valid_before')
  })

  test('an authorization must be usable by the earlier of two clocks', () => {
    const reasonAt = (validAfter: bigint, clock = at(NOW)) => brokenTerms(payment({}, { validAfter }), clock)?.reason
    const early = 'invalid_exact_evm_payload_authorization_valid_after'
    expect(reasonAt(NOW)).toBeUndefined()
    expect(reasonAt(NOW + 1n)).toBe(early)
    expect(reasonAt(NOW, { earliest: NOW - 1n, latest: NOW + 5n })).toBe(early)
  })

  test('that time cannot change leave time out', () => {
    expect(brokenTimelessTerms(payment({}, { validBefore: 0n, validAfter: NOW * 2n }))).toBeNull()
    expect(brokenTimelessTerms(payment({}, { to: other }))?.reason).toBe('invalid_exact_evm_recipient_mismatch')
    expect(brokenTimelessTerms(payment(wrongDomain))?.reason).toBe('invalid_exact_evm_token_name_mismatch')
  })
})

describe('what the payer signs', () => {
  test('is the EIP-712 hash under the declared domain, on the chain of the network', () => {
    const types = {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    } as const
    const verifyingContract = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
    const domain = { name: 'USDC', version: '2', chainId: 84532, verifyingContract } as const
    const hash = hashTypedData({ domain, types, primaryType: 'TransferWithAuthorization', message: authorization })
    expect(authorizationHash(payment())).toBe(hash)
    expect(authorizationHash(payment({ domain: { name: 'USD Coin', version: '2' } }))).not.toBe(hash)
  })

  test('is nothing without a domain', () => {
    expect(authorizationHash(payment({ domain: null }))).toBeNull()
  })
})
