import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { changed, parseRefusal, solanaBody } from '../../test/support/payloads/bodies'
import { type SignedPayment, signed, v1Body, v2Body } from '../../test/support/payloads/payments'
import { EURC, settleTooInTest } from '../../test/support/payloads/tokens'
import { parsePayment } from './parse'
import { networkNamed } from './parse-terms'

let payment: SignedPayment

beforeAll(async () => {
  payment = await signed(privateKeyToAccount(generatePrivateKey()))
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
    const answer = parseRefusal(changed(body, path, undefined))
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
    ['paymentPayload.resource', 7, 'invalid_payload'],
    ['paymentPayload.resource', ['http://merchant.test'], 'invalid_payload'],
    ['paymentPayload.resource.url', 'x'.repeat(8_193), 'invalid_payload'],
    ['paymentPayload.extensions', ['bazaar'], 'invalid_payload'],
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
    ['paymentRequirements.resource', 'x'.repeat(8_193), 'invalid_payment_requirements'],
    ['paymentRequirements.maxTimeoutSeconds', -1, 'invalid_payment_requirements'],
    ['paymentRequirements.maxTimeoutSeconds', 1.5, 'invalid_payment_requirements'],
    ['paymentRequirements.extra', 'USDC', 'invalid_payment_requirements'],
    ['paymentRequirements.outputSchema', ['input'], 'invalid_payment_requirements'],
    ['paymentRequirements.resource', 7, 'invalid_payment_requirements'],
    ['paymentRequirements.resource', { url: 7 }, 'invalid_payment_requirements'],
  ])('%s as %j', (path, value, reason) => {
    const answer = parseRefusal(changed(v2Body(payment), path, value))
    expect(answer).toMatchObject({ refusal: 'bad_request', reason })
    expect(answer.message).toContain(path)
    expect(answer.message).not.toContain('undefined')
  })

  test.each([[null], ['text'], [7], [[]], [true]])('a body that is %j', (body) => {
    expect(parseRefusal(body)).toMatchObject({ refusal: 'bad_request', message: expect.stringMatching(/^body /) })
  })

  test('a Solana payment without its transaction', () => {
    const answer = parseRefusal(changed(solanaBody(), 'paymentPayload.payload.transaction', undefined))
    expect(answer.message).toBe('paymentPayload.payload.transaction is missing')
  })
})

describe('what cannot be one payment', () => {
  test.each(['eip155:1', 'polygon', 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z'])('a network that is not ours: %s', (network) => {
    expect(parseRefusal(v2Body(payment, { requirements: { network } }))).toEqual({
      refusal: 'forbidden',
      message: `network ${network} is not served here; this facilitator serves Base, Base Sepolia, Solana, and Solana devnet`,
      reason: 'invalid_network',
    })
  })

  test.each(['Base', 'not a network', 'eip155:'])('an unreadable network: %s', (network) => {
    expect(parseRefusal(v2Body(payment, { requirements: { network } }))).toMatchObject({
      refusal: 'bad_request',
      message: expect.stringMatching(/^paymentRequirements\.network is not a network name/),
      reason: 'invalid_network',
    })
  })

  test("another asset than the network's USDC", () => {
    const other = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
    expect(parseRefusal(v2Body(payment, { requirements: { asset: other } }))).toEqual({
      refusal: 'bad_request',
      message:
        'paymentRequirements.asset is not accepted on Base Sepolia; use its USDC, 0x036cbd53842c5426634e7929541ec2318f3dcf7e',
      reason: 'invalid_payment_requirements',
    })
  })

  test("another asset than those of the network's row, which it names", () => {
    settleTooInTest([EURC])
    const other = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
    expect(parseRefusal(v2Body(payment, { requirements: { asset: other } })).message).toBe(
      `paymentRequirements.asset is not accepted on Base Sepolia; use its USDC, 0x036cbd53842c5426634e7929541ec2318f3dcf7e, or its EURC, ${EURC.address}`,
    )
    const asset = EURC.address.toUpperCase().replace('0X', '0x')
    expect(parsePayment(v2Body(payment, { requirements: { asset } })).asset).toBe(EURC.address)
  })

  test('two amounts that differ', () => {
    expect(parseRefusal(v2Body(payment, { requirements: { maxAmountRequired: '1001' } }))).toEqual({
      refusal: 'bad_request',
      message: 'paymentRequirements.amount and maxAmountRequired differ; send one of them',
      reason: 'invalid_payment_requirements',
    })
  })

  test.each([0, 3, 1.5, -1])('version %s', (version) => {
    expect(parseRefusal(changed(v2Body(payment), 'paymentPayload.x402Version', version))).toEqual({
      refusal: 'bad_request',
      message: `x402Version ${version} is not supported; use 1 or 2`,
      reason: 'invalid_x402_version',
    })
  })
})

test.each([
  [{ paymentRequirements: { network: 'eip155:8453' }, paymentPayload: { network: 'base' } }, 'eip155:8453'],
  [{ paymentPayload: { accepted: { network: 'eip155:84532' } } }, 'eip155:84532'],
  [{ paymentRequirements: {}, paymentPayload: { network: 'base-sepolia' } }, 'base-sepolia'],
  [{ paymentRequirements: { network: 5 }, paymentPayload: 'e30=' }, ''],
  [null, ''],
])('a refusal names the network that the body names anywhere: %j', (body, network) => {
  expect(networkNamed(body)).toBe(network)
})
