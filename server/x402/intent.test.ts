import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { innerPayload, requirements, type SignedPayment, signed, v1Body, v2Body } from '../../test/harness'
import { intentKey, requestHash } from './intent'
import { parsePayment } from './parse'
import { type Eip3009Payment, isEip3009 } from './payment'

type Json = Record<string, unknown>

const account = privateKeyToAccount(generatePrivateKey())
let payment: SignedPayment
beforeAll(async () => {
  payment = await signed(account)
})

function read(body: Json): Eip3009Payment {
  const parsed = parsePayment(body)
  if (!isEip3009(parsed)) throw new Error('not an EIP-3009 payment')
  return parsed
}

const upper = (hex: string) => hex.toUpperCase().replace('0X', '0x')
const withSigned = (authorization: Json) =>
  v2Body(payment, { payload: { authorization: { ...Object(innerPayload(payment).authorization), ...authorization } } })

/** The same bytes with v counted from 0. */
function lowV(): string {
  const v = payment.signature.slice(-2)
  return payment.signature.slice(0, -2) + (v === '1b' ? '00' : '01')
}

describe('an intent key', () => {
  const spellings: [string, () => Json][] = [
    ['the v1 envelope', () => v1Body(payment)],
    [
      'upper-case addresses and nonce',
      () => withSigned({ from: upper(account.address), nonce: upper(payment.authorization.nonce) }),
    ],
    ['lower-case addresses', () => withSigned({ from: account.address.toLowerCase() })],
    ['v of 0 or 1', () => v2Body(payment, { payload: { signature: lowV() } })],
    ['another signature', () => v2Body(payment, { payload: { signature: '0x' } })],
    ['another recipient', () => v2Body(payment, { requirements: { payTo: account.address } })],
    ['another amount', () => v2Body(payment, { requirements: { amount: '2000' } })],
    ['another validBefore', () => withSigned({ validBefore: '99999999999' })],
    ['another domain', () => v2Body(payment, { requirements: { extra: { name: 'x', version: '9' } } })],
    ['leading zeros', () => withSigned({ value: '0001000' })],
  ]
  test.each(spellings)('is the same under %s', (_, body) => {
    expect(intentKey(read(body()))).toBe(intentKey(read(v2Body(payment))))
  })

  test('is another for another nonce, payer, chain or asset', async () => {
    const base = { network: 'eip155:8453', asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' }
    const key = intentKey(read(v2Body(payment)))
    const others = [
      v2Body(await signed(account)),
      withSigned({ from: '0x1111111111111111111111111111111111111111' }),
      v2Body(payment, { requirements: base }),
    ].map((body) => intentKey(read(body)))
    const otherAsset = intentKey({ ...read(v2Body(payment)), asset: '0x1111111111111111111111111111111111111111' })
    expect(new Set([key, ...others, otherAsset]).size).toBe(5)
    expect(key).toMatch(/^0x[0-9a-f]{64}$/)
  })
})

describe('a request hash', () => {
  const same: [string, () => Json][] = [
    ['address case', () => withSigned({ from: upper(account.address) })],
    ['v of 0 or 1', () => v2Body(payment, { payload: { signature: lowV() } })],
    ['the order of keys', () => JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(v2Body(payment)).reverse())))],
    ['base64', () => ({ ...v2Body(payment), paymentPayload: btoa(JSON.stringify(v2Body(payment).paymentPayload)) })],
    ['the v1 envelope', () => v1Body(payment)],
  ]
  test.each(same)('is the same under %s', (_, body) => {
    expect(requestHash(read(body()))).toBe(requestHash(read(v2Body(payment))))
  })

  const different: [string, () => Json][] = [
    ['payTo', () => v2Body(payment, { requirements: { payTo: account.address } })],
    ['amount', () => v2Body(payment, { requirements: { amount: '1001' } })],
    ['resource', () => ({ ...v1Body(payment), paymentRequirements: requirements({ resource: 'http://merchant.test/other' }) })],
    ['signature', () => v2Body(payment, { payload: { signature: '0x1234' } })],
    ['nonce', () => withSigned({ nonce: `0x${'00'.repeat(32)}` })],
    ['value', () => withSigned({ value: '1001' })],
    ['validAfter', () => withSigned({ validAfter: '1' })],
    ['validBefore', () => withSigned({ validBefore: '99999999999' })],
    ['to', () => withSigned({ to: account.address })],
  ]
  test.each(different)('is another for another %s', (_, body) => {
    expect(requestHash(read(body()))).not.toBe(requestHash(read(v2Body(payment))))
  })
})
