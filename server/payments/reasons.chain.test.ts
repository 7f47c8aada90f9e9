import { type Address, encodeFunctionData, serializeErc6492Signature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { usdcAbi } from '../../devnet/abi'
import { fixture } from '../../test/support/fixture'
import { createForge, type Forged, highS } from '../../test/support/payloads/forge'
import { requirements, signed, v1Body, v2Body } from '../../test/support/payloads/payments'
import { startHarness } from '../../test/support/service/harness'
import { historyOf, left, newClient, sentCount } from '../../test/support/service/surface'
import { historyReason, type Reason, reasons } from '../x402/reasons/reasons'

type Bad = Forged & { proven?: boolean; message?: string; network?: string; asked?: boolean }
type PaymentCheck = [string, Reason, (payTo: Address) => Promise<Bad>]

const now = () => BigInt(Math.floor(Date.now() / 1_000))
const newAddress = () => privateKeyToAccount(generatePrivateKey()).address

const harness = fixture(startHarness)
const forge = createForge(harness)

const NO_ONE = '' as Address
const form = (make: (payTo: Address) => Promise<Bad>) => async (payTo: Address) => ({ ...(await make(payTo)), asked: false })

const proven = (make: (payTo: Address) => Promise<Bad>) => async (payTo: Address) => ({ ...(await make(payTo)), proven: true })
const terms = (make: (payTo: Address) => Promise<Bad>) => form(proven(make))

const cases: PaymentCheck[] = [
  [
    'scheme deferred',
    'unsupported_scheme',
    form(async (payTo) => ({ ...(await forge.paying(payTo, { requirements: { scheme: 'deferred' } })), payer: NO_ONE })),
  ],
  [
    'another scheme in the payload',
    'invalid_exact_evm_scheme',
    form(async (payTo) => ({ ...(await forge.paying(payTo, { accepted: { scheme: 'upto' } })), payer: NO_ONE })),
  ],
  [
    'no extra',
    'invalid_exact_evm_missing_eip712_domain',
    form((payTo) => forge.paying(payTo, { requirements: { extra: undefined } })),
  ],
  [
    'an empty extra',
    'invalid_exact_evm_missing_eip712_domain',
    form((payTo) => forge.paying(payTo, { requirements: { extra: {} } })),
  ],
  [
    'another network',
    'invalid_exact_evm_network_mismatch',
    form((payTo) => forge.paying(payTo, { accepted: { network: 'eip155:8453' } })),
  ],
  [
    'a Permit2 payload of another scheme',
    'unsupported_payload_type',
    form(async (payTo) => {
      const { payer } = await forge.paying(payTo)
      const accepted = requirements({ payTo })
      const payload = { signature: '0x', permit2Authorization: { from: payer } }
      return {
        body: {
          paymentPayload: { x402Version: 2, accepted: { ...accepted, scheme: 'upto' }, payload },
          paymentRequirements: accepted,
        },
        payer: '' as Address,
      }
    }),
  ],
  ['an empty signature', 'invalid_exact_evm_signature', (payTo) => forge.paying(payTo, { signature: () => '0x' })],
  [
    'random bytes as signature',
    'invalid_exact_evm_signature',
    (payTo) => forge.paying(payTo, { signature: () => `0x${'5a'.repeat(65)}` }),
  ],
  [
    'a signature of 64 bytes',
    'invalid_exact_evm_signature',
    (payTo) => forge.paying(payTo, { signature: (good) => `0x${good.slice(2, 130)}` }),
  ],
  [
    'a signature of 6 KB',
    'invalid_exact_evm_signature',
    form((payTo) => forge.paying(payTo, { signature: () => `0x${'5a'.repeat(6_500)}` })),
  ],
  [
    "a wallet's signature of 6 KB",
    'invalid_exact_evm_signature',
    form((payTo) => forge.fromWallet(payTo, 'owner', { tail: '5a'.repeat(6_500) })),
  ],
  [
    'a wrapper that holds nothing',
    'eip6492_factory_not_allowed',
    (payTo) => forge.paying(payTo, { signature: () => `0x12${'6492'.repeat(16)}` }),
  ],
  ['a signature with a high s', 'invalid_exact_evm_signature', (payTo) => forge.paying(payTo, { signature: highS })],
  [
    'the signature of another wallet',
    'invalid_exact_evm_signature',
    async (payTo) => {
      const from = newAddress()
      return { ...(await forge.paying(payTo, { signed: { from } })), payer: from }
    },
  ],
  ['a wallet that did not sign', 'invalid_exact_evm_signature', (payTo) => forge.fromWallet(payTo, 'other key')],
  ['a wallet that burns all gas', 'invalid_exact_evm_signature', (payTo) => forge.fromWallet(payTo, 'owner', { burns: true })],
  [
    'a wallet that is not deployed',
    'eip6492_factory_not_allowed',
    (payTo) =>
      forge.paying(payTo, {
        signature: (signature) => {
          const data = encodeFunctionData({ abi: usdcAbi, functionName: 'transfer', args: [payTo, 1n] })
          return serializeErc6492Signature({ address: harness.chain.usdc, data, signature })
        },
      }),
  ],
  [
    'another recipient',
    'invalid_exact_evm_recipient_mismatch',
    terms((payTo) => forge.paying(payTo, { signed: { to: newAddress() } })),
  ],
  [
    'an expired authorization',
    'invalid_exact_evm_payload_authorization_valid_before',
    terms((payTo) => forge.paying(payTo, { signed: { validBefore: now() - 1n } })),
  ],
  [
    'an authorization about to expire',
    'invalid_exact_evm_payload_authorization_valid_before',
    terms((payTo) => forge.paying(payTo, { signed: { validBefore: now() + 3n } })),
  ],
  [
    'an authorization of the future',
    'invalid_exact_evm_payload_authorization_valid_after',
    terms((payTo) => forge.paying(payTo, { signed: { validAfter: now() + 1_000n } })),
  ],
  [
    'less than asked',
    'invalid_exact_evm_payload_authorization_value_mismatch',
    terms((payTo) => forge.paying(payTo, { signed: { value: 999n } })),
  ],
  [
    'more than asked',
    'invalid_exact_evm_payload_authorization_value_mismatch',
    terms((payTo) => forge.paying(payTo, { signed: { value: 1_001n } })),
  ],
  [
    'less than asked, in version 1',
    'invalid_exact_evm_authorization_value',
    terms(async (payTo) => {
      const payer = await harness.payer()
      const body = v1Body(await signed(payer, { to: payTo, value: 999n }), { requirements: { payTo } })
      return { body, payer: payer.address, network: 'base-sepolia' }
    }),
  ],
  [
    'a wrong domain name',
    'invalid_exact_evm_token_name_mismatch',
    terms((payTo) => forge.underDomain(payTo, { name: 'USD Coin', version: '2' })),
  ],
  [
    'a wrong domain version',
    'invalid_exact_evm_token_version_mismatch',
    terms((payTo) => forge.underDomain(payTo, { name: 'USDC', version: '1' })),
  ],
  ['too little money', 'invalid_exact_evm_insufficient_balance', proven((payTo) => forge.paying(payTo, { balance: 999n }))],
  ['no money', 'invalid_exact_evm_insufficient_balance', proven((payTo) => forge.paying(payTo, { balance: 0n }))],
  ['a nonce that was cancelled', 'invalid_exact_evm_nonce_already_used', proven((payTo) => forge.cancelled(payTo))],
  [
    'a nonce that was used elsewhere',
    'invalid_exact_evm_nonce_already_used',
    proven(async (payTo) => {
      const payer = await harness.payer()
      const elsewhere = await signed(payer, { to: newAddress() })
      const { from, to, value, validAfter, validBefore, nonce } = elsewhere.authorization
      await forge.onToken('transferWithAuthorization', [from, to, value, validAfter, validBefore, nonce, elsewhere.signature])
      return { body: v2Body(await signed(payer, { to: payTo, nonce }), { requirements: { payTo } }), payer: payer.address }
    }),
  ],
  [
    'a blacklisted payer',
    'invalid_exact_evm_transaction_simulation_failed',
    proven(async (payTo) => {
      const bad = await forge.paying(payTo)
      await forge.onToken('blacklist', [bad.payer, true])
      return { ...bad, message: 'The transfer would fail on chain: Blacklistable: account is blacklisted' }
    }),
  ],
  [
    'a blacklisted recipient',
    'invalid_exact_evm_transaction_simulation_failed',
    proven(async (payTo) => {
      await forge.onToken('blacklist', [payTo, true])
      return {
        ...(await forge.paying(payTo)),
        message: 'The transfer would fail on chain: Blacklistable: account is blacklisted',
      }
    }),
  ],
]

describe('a payment that is judged and fails', () => {
  test.each(cases)('%s: %s', async (_, reason, make) => {
    const payTo = newAddress()
    const { body, payer, proven = false, message = reasons[reason], network = 'eip155:84532', asked = true } = await make(payTo)
    // What the chain calls unpayable costs nothing; any other failure costs a settlement, and a verification if the chain was asked.
    const costs = !/(insufficient_balance|nonce_already_used|simulation_failed)$/.test(reason)
    const client = newClient(harness.app)
    const [sent, money] = [await sentCount(harness), payer ? await harness.chain.tokens(payer) : 0n]

    const verified = await client.verify(body)
    expect(verified.body).toEqual({ isValid: false, invalidReason: reason, invalidMessage: message, payer })
    expect([verified.status, left(verified)]).toEqual([
      200,
      { settlements: '1000', verifications: costs && asked ? '4999' : '5000' },
    ])
    expect(await historyOf(harness, payTo)).toEqual([])

    const settled = await client.settle(body)
    const failed = { error: message, errorReason: reason, errorMessage: message }
    expect(settled.body).toEqual({ success: false, ...failed, transaction: '', network, payer })
    expect([settled.status, left(settled).settlements]).toEqual([200, costs ? '999' : '1000'])
    expect(settled.headers.get('x-settlement-id')).toMatch(/^[0-9a-f-]{36}$/)

    expect(await historyOf(harness, payTo)).toMatchObject([
      {
        payer: proven ? payer.toLowerCase() : '',
        success: false,
        txHash: '',
        errorReason: historyReason(reason),
        network: 'eip155:84532',
        plan: 'sandbox',
        tenantId: '00000000-0000-0000-0000-000000000000',
      },
    ])
    expect(await sentCount(harness)).toBe(sent)
    expect(await harness.chain.tokens(payTo)).toBe(0n)
    if (payer) expect(await harness.chain.tokens(payer)).toBe(money)
    expect(await harness.app.db.settlement.count({ where: { payTo: payTo.toLowerCase() } })).toBe(0)
  })
})
