import { generateKeyPairSigner } from '@solana/kit'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { changed, encode, mixedBody, solanaBody } from '../../test/bodies'
import { innerPayload, requirements, type SignedPayment, signed, v1Body, v2Body } from '../../test/harness'
import { SVM_NETWORK, SVM_USDC, someAddress, svmPayment, svmV1Body, svmV2Body } from '../../test/svm-forge'
import { isServiceError } from '../errors'
import { parsePayment } from './parse'
import { claimedPayer, isEip3009, isSigned, isSvm } from './payment'

let payment: SignedPayment
beforeAll(async () => {
  payment = await signed(privateKeyToAccount(generatePrivateKey()))
})

function refusalOf(body: unknown): { refusal: string; message: string; reason: string | undefined } {
  try {
    parsePayment(body)
  } catch (error) {
    if (!isServiceError(error)) throw error
    return { refusal: error.refusal, message: error.message, reason: error.facts.reason }
  }
  throw new Error('it was parsed')
}

describe('one payment', () => {
  const forms: [string, 1 | 2, string, () => Record<string, unknown>][] = [
    ['v1 as an object', 1, 'base-sepolia', () => v1Body(payment)],
    ['v2 as an object', 2, 'eip155:84532', () => v2Body(payment)],
    ['base64 with a CAIP-2 network', 1, 'eip155:84532', () => mixedBody(payment)],
    ['url-safe base64 without padding', 1, 'eip155:84532', () => mixedBody(payment, mixedBase64url())],
    ['paymentHeader', 1, 'base-sepolia', () => ({ ...v1Body(payment), paymentPayload: undefined, paymentHeader: header() })],
    [
      'a v2 payload as base64',
      2,
      'eip155:84532',
      () => ({ ...v2Body(payment), paymentPayload: encode(v2Body(payment).paymentPayload) }),
    ],
    ['v2 without an outer version', 2, 'eip155:84532', () => changed(v2Body(payment), 'x402Version', undefined)],
    [
      'v2 payload under v1 requirements',
      2,
      'base-sepolia',
      () => ({ ...v2Body(payment), paymentRequirements: v1Body(payment).paymentRequirements }),
    ],
    [
      'v1 payload under v2 requirements',
      1,
      'eip155:84532',
      () => ({ ...v1Body(payment), paymentRequirements: requirements({ resource: 'http://merchant.test/weather' }) }),
    ],
    [
      'no version at all',
      1,
      'base-sepolia',
      () => changed(changed(v1Body(payment), 'x402Version', undefined), 'paymentPayload.x402Version', undefined),
    ],
    [
      'both names of the amount, agreeing',
      2,
      'eip155:84532',
      () => changed(v2Body(payment), 'paymentRequirements.maxAmountRequired', '1000'),
    ],
    [
      'nulls where fields are optional',
      2,
      'eip155:84532',
      () => changed(v2Body(payment), 'paymentRequirements.outputSchema', null),
    ],
  ]
  const mixedBase64url = () => Buffer.from(JSON.stringify(v1Body(payment).paymentPayload)).toString('base64url')
  const header = () => encode(v1Body(payment).paymentPayload)

  test.each(forms)('is read from %s', (_, x402Version, spelling, body) => {
    const { from, to, nonce, ...rest } = payment.authorization
    const { declared, ...read } = parsePayment(body())
    expect(read).toEqual({
      x402Version,
      scheme: 'exact',
      claimed: { scheme: 'exact', network: 'eip155:84532' },
      network: 'eip155:84532',
      spelling,
      amount: 1_000n,
      asset: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
      payTo: to.toLowerCase(),
      resource: 'http://merchant.test/weather',
      domain: { name: 'USDC', version: '2' },
      transfer: {
        kind: 'eip3009',
        writtenFrom: from,
        signature: payment.signature,
        authorization: { ...rest, from: from.toLowerCase(), to: to.toLowerCase(), nonce },
      },
    })
    expect(declared).toMatchObject({ maxTimeoutSeconds: 300, extra: { name: 'USDC', version: '2' } })
  })

  test('is read with any case of its addresses, nonce and signature, and echoes the payer as written', () => {
    const inner = innerPayload(payment)
    const from = payment.authorization.from.toUpperCase().replace('0X', '0x')
    const nonce = payment.authorization.nonce.toUpperCase().replace('0X', '0x')
    const signature = payment.signature.toUpperCase().replace('0X', '0x')
    const authorization = { ...Object(inner.authorization), from, nonce }
    const read = parsePayment(v2Body(payment, { payload: { signature, authorization } }))
    expect(read.transfer).toMatchObject({
      signature: payment.signature,
      authorization: { from: from.toLowerCase(), nonce: nonce.toLowerCase() },
    })
    expect(claimedPayer(read)).toBe(from)
  })

  test('keeps what its merchant declared, for discovery', () => {
    const info = { bazaar: { info: { input: { type: 'http' } } } }
    const body = changed(v2Body(payment), 'paymentPayload.extensions', info)
    expect(parsePayment(body).declared).toEqual({
      maxTimeoutSeconds: 300,
      extra: { name: 'USDC', version: '2' },
      extensions: info,
      resourceInfo: { url: 'http://merchant.test/weather', description: 'Weather', mimeType: 'application/json' },
    })
  })

  test('has no domain when extra does not name both halves of it', () => {
    for (const extra of [undefined, null, {}, { name: 'USDC' }, { name: '', version: '2' }, { name: 'USDC', version: 2 }]) {
      expect(parsePayment(v2Body(payment, { requirements: { extra } })).domain).toBeNull()
    }
  })

  test('of another kind keeps its name only, to be judged', () => {
    expect(parsePayment(v2Body(payment, { payload: { permit2Authorization: {} } })).transfer).toEqual({ kind: 'permit2' })
    expect(parsePayment(v2Body(payment, { requirements: { scheme: 'upto' } })).transfer).toEqual({ kind: 'other' })
    const solana = solanaBody()
    const read = parsePayment(solana)
    expect([read.network, read.transfer]).toEqual(['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', { kind: 'svm', transaction: null }])
    expect([isEip3009(read), isSigned(read), claimedPayer(read)]).toEqual([false, false, ''])
  })
})

describe('a payment on Solana', () => {
  test('is read in both versions, with what its payer signed', async () => {
    const payer = await generateKeyPairSigner()
    const terms = { feePayer: someAddress(), payTo: someAddress() }
    const transaction = await svmPayment({ payer, ...terms })
    const bodies = [svmV1Body(transaction, terms), svmV2Body(transaction, terms)]
    for (const [index, body] of bodies.entries()) {
      const read = parsePayment(body)
      if (!isSvm(read)) throw new Error('not a payment on Solana')
      expect(read).toMatchObject({ x402Version: index + 1, network: SVM_NETWORK, asset: SVM_USDC, amount: 1_000n })
      expect(read).toMatchObject({ payTo: terms.payTo, domain: null, declared: { extra: { feePayer: terms.feePayer } } })
      expect(read.spelling).toBe(index === 0 ? 'solana-devnet' : SVM_NETWORK)
      expect(read.transfer.transaction.accounts.slice(0, 2)).toEqual([terms.feePayer, payer.address])
      expect([isEip3009(read), isSigned(read), claimedPayer(read)]).toEqual([false, true, payer.address])
    }
  })

  test.each([
    ['31 bytes', '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLK'],
    ['33 bytes', 'z'.repeat(44)],
    ['an EVM address', '0x209693Bc6afc0C5328bA36FaF03C514EF312287C'],
    ['letters that base58 has not', 'O0Il1111111111111111111111111111'],
  ])('does not go to %s', (_, payTo) => {
    expect(refusalOf(changed(solanaBody(), 'paymentRequirements.payTo', payTo))).toEqual({
      refusal: 'bad_request',
      message: 'paymentRequirements.payTo is not an address on Solana devnet (base58, 32 bytes)',
      reason: 'invalid_payment_requirements',
    })
  })
})

const AUTHORIZATION = 'paymentPayload.payload.authorization'

describe('a field that is missing is named', () => {
  test.each([
    ['v2', 'paymentPayload'],
    ['v2', 'paymentPayload.accepted.scheme'],
    ['v2', 'paymentPayload.accepted.network'],
    ['v2', 'paymentPayload.payload'],
    ['v2', 'paymentPayload.payload.signature'],
    ['v2', AUTHORIZATION],
    ...['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'].map((field) => ['v2', `${AUTHORIZATION}.${field}`]),
    ['v2', 'paymentRequirements'],
    ...['scheme', 'network', 'asset', 'payTo'].map((field) => ['v2', `paymentRequirements.${field}`]),
    ['v1', 'paymentPayload.scheme'],
    ['v1', 'paymentPayload.network'],
    ['v1', 'paymentRequirements.maxAmountRequired'],
  ])('%s %s', (version = '', path = '') => {
    const body = version === 'v1' ? v1Body(payment) : v2Body(payment)
    const answer = refusalOf(changed(body, path, undefined))
    expect(answer).toMatchObject({ refusal: 'bad_request' })
    expect(answer.message).toMatch(new RegExp(`^${path.replaceAll('.', '\\.')} is missing`))
    expect(answer.reason).toBe(path.startsWith('paymentRequirements') ? 'invalid_payment_requirements' : 'invalid_payload')
  })
})

describe('a field that is wrong is named', () => {
  test.each<[string, unknown, string]>([
    ['x402Version', '2', 'invalid_payload'],
    ['paymentPayload', 7, 'invalid_payload'],
    ['paymentPayload', [], 'invalid_payload'],
    ['paymentPayload', '%%%', 'invalid_payload'],
    ['paymentPayload', '', 'invalid_payload'],
    ['paymentPayload', Buffer.from('{"a":').toString('base64'), 'invalid_payload'],
    ['paymentPayload', Buffer.from('"text"').toString('base64'), 'invalid_payload'],
    ['paymentPayload.x402Version', '2', 'invalid_payload'],
    ['paymentPayload.accepted', 'exact', 'invalid_payload'],
    ['paymentPayload.accepted.scheme', 1, 'invalid_payload'],
    ['paymentPayload.accepted.network', 'x'.repeat(81), 'invalid_payload'],
    ['paymentPayload.resource', 'http://merchant.test', 'invalid_payload'],
    ['paymentPayload.resource.url', 'x'.repeat(2_049), 'invalid_payload'],
    ['paymentPayload.extensions', [], 'invalid_payload'],
    ['paymentPayload.payload', null, 'invalid_payload'],
    ['paymentPayload.payload.signature', '0x123', 'invalid_payload'],
    ['paymentPayload.payload.signature', 'abcd', 'invalid_payload'],
    ['paymentPayload.payload.signature', 7, 'invalid_payload'],
    [AUTHORIZATION, 'none', 'invalid_payload'],
    [`${AUTHORIZATION}.from`, '0x1234', 'invalid_payload'],
    [`${AUTHORIZATION}.to`, `0x${'g'.repeat(40)}`, 'invalid_payload'],
    [`${AUTHORIZATION}.value`, 'abc', 'invalid_payload'],
    [`${AUTHORIZATION}.value`, 1000, 'invalid_payload'],
    [`${AUTHORIZATION}.value`, '-1', 'invalid_payload'],
    [`${AUTHORIZATION}.validAfter`, '0x0', 'invalid_payload'],
    [`${AUTHORIZATION}.validBefore`, '1e9', 'invalid_payload'],
    [`${AUTHORIZATION}.nonce`, `0x${'1'.repeat(63)}`, 'invalid_payload'],
    ['paymentRequirements', 'exact', 'invalid_payment_requirements'],
    ['paymentRequirements.scheme', '', 'invalid_payment_requirements'],
    ['paymentRequirements.amount', 1000, 'invalid_payment_requirements'],
    ['paymentRequirements.amount', '0.001', 'invalid_payment_requirements'],
    ['paymentRequirements.maxAmountRequired', '1e3', 'invalid_payment_requirements'],
    ['paymentRequirements.asset', '0x036C', 'invalid_payment_requirements'],
    ['paymentRequirements.payTo', 'merchant.eth', 'invalid_payment_requirements'],
    ['paymentRequirements.resource', 'x'.repeat(2_049), 'invalid_payment_requirements'],
    ['paymentRequirements.maxTimeoutSeconds', -1, 'invalid_payment_requirements'],
    ['paymentRequirements.maxTimeoutSeconds', 1.5, 'invalid_payment_requirements'],
    ['paymentRequirements.extra', 'USDC', 'invalid_payment_requirements'],
    ['paymentRequirements.outputSchema', [], 'invalid_payment_requirements'],
  ])('%s as %j', (path, value, reason) => {
    const answer = refusalOf(changed(v2Body(payment), path, value))
    expect(answer).toMatchObject({ refusal: 'bad_request', reason })
    expect(answer.message).toContain(path)
    expect(answer.message).not.toContain('undefined')
  })

  test.each([[null], ['text'], [7], [[]], [true]])('a body that is %j', (body) => {
    expect(refusalOf(body)).toMatchObject({ refusal: 'bad_request', message: expect.stringMatching(/^body /) })
  })

  test('a Solana payment without its transaction', () => {
    const answer = refusalOf(changed(solanaBody(), 'paymentPayload.payload.transaction', undefined))
    expect(answer.message).toBe('paymentPayload.payload.transaction is missing')
  })
})

describe('what cannot be one payment', () => {
  test.each(['eip155:1', 'polygon', 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z'])('a network that is not ours: %s', (network) => {
    expect(refusalOf(v2Body(payment, { requirements: { network } }))).toEqual({
      refusal: 'forbidden',
      message: `network ${network} is not served here`,
      reason: 'invalid_network',
    })
  })

  test.each(['Base', 'not a network', 'eip155:'])('an unreadable network: %s', (network) => {
    expect(refusalOf(v2Body(payment, { requirements: { network } }))).toMatchObject({
      refusal: 'bad_request',
      message: expect.stringMatching(/^paymentRequirements\.network is not a network name/),
      reason: 'invalid_network',
    })
  })

  test('another asset than the network’s USDC', () => {
    const other = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
    expect(refusalOf(v2Body(payment, { requirements: { asset: other } }))).toEqual({
      refusal: 'bad_request',
      message:
        'paymentRequirements.asset is not accepted on Base Sepolia; use its USDC, 0x036cbd53842c5426634e7929541ec2318f3dcf7e',
      reason: 'invalid_payment_requirements',
    })
  })

  test('two amounts that differ', () => {
    expect(refusalOf(v2Body(payment, { requirements: { maxAmountRequired: '1001' } }))).toEqual({
      refusal: 'bad_request',
      message: 'paymentRequirements.amount and maxAmountRequired differ; send one of them',
      reason: 'invalid_payment_requirements',
    })
  })

  test.each([0, 3, 1.5, -1])('version %s', (version) => {
    expect(refusalOf(changed(v2Body(payment), 'paymentPayload.x402Version', version))).toEqual({
      refusal: 'bad_request',
      message: `x402Version ${version} is not supported; use 1 or 2`,
      reason: 'invalid_x402_version',
    })
  })
})
