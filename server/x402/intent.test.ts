import { createHash } from 'node:crypto'
import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { innerPayload, requirements, type SignedPayment, signed, v1Body, v2Body } from '../../test/support/payloads/payments'
import { someAddress, svmPayment, svmV1Body, svmV2Body } from '../../test/support/svm/forge'
import { intentKey, requestHash } from './intent'
import { parsePayment } from './parse'
import { type Eip3009Payment, isEip3009, isSvm, type SvmPayment } from './payment'

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

/** The payment's signature with v counted from 0. */
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

describe('a payment on Solana', () => {
  const terms = { feePayer: someAddress(), payTo: someAddress() }
  let payer: KeyPairSigner
  let transaction: string
  beforeAll(async () => {
    payer = await generateKeyPairSigner()
    transaction = await svmPayment({ payer, ...terms })
  })

  function readSvm(body: Json): SvmPayment {
    const parsed = parsePayment(body)
    if (!isSvm(parsed)) throw new Error('not a payment on Solana')
    return parsed
  }

  /** The bytes of the fee payer's signature, which a relayer may fill. */
  function slotFilled(): string {
    return Buffer.from(transaction, 'base64').fill(9, 1, 65).toString('base64')
  }

  const spellings: [string, () => Json][] = [
    ['the v1 envelope', () => svmV1Body(transaction, terms, { requirements: { resource: 'http://merchant.test/weather' } })],
    ['base64 without padding', () => svmV2Body(transaction.replace(/=+$/, ''), terms)],
    ['a filled slot of the fee payer', () => svmV2Body(slotFilled(), terms)],
  ]
  test.each(spellings)('has one intent key and one request hash under %s', (_, body) => {
    const [payment, spelled] = [readSvm(svmV2Body(transaction, terms)), readSvm(body())]
    expect(intentKey(spelled)).toBe(intentKey(payment))
    expect(requestHash(spelled)).toBe(requestHash(payment))
  })

  test('has the hash of what was signed as its intent key, for any requirements', () => {
    const signed = Buffer.from(transaction, 'base64').subarray(129)
    const other = svmV2Body(transaction, { feePayer: someAddress(), payTo: someAddress(), amount: 7n, memo: 'x' })
    expect(intentKey(readSvm(other))).toBe(`0x${createHash('sha256').update(signed).digest('hex')}`)
  })

  test('has another intent key when anything else was signed', async () => {
    const blockhash = someAddress()
    const payments = [{}, { blockhash }, { blockhash, memo: 'x' }, { blockhash, memo: 'y' }, { blockhash, memo: 'x', amount: 7n }]
    const made = await Promise.all(payments.map((each) => svmPayment({ payer, ...terms, ...each })))
    expect(new Set(made.map((each) => intentKey(readSvm(svmV2Body(each, terms))))).size).toBe(payments.length)
  })

  const different: [string, () => SvmPayment][] = [
    ['payTo', () => readSvm(svmV2Body(transaction, { ...terms, payTo: someAddress() }))],
    ['amount', () => readSvm(svmV2Body(transaction, { ...terms, amount: 1_001n }))],
    ['resource', () => ({ ...readSvm(svmV2Body(transaction, terms)), resource: 'http://merchant.test/other' })],
    ['network', () => ({ ...readSvm(svmV2Body(transaction, terms)), network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' })],
    ['asset', () => ({ ...readSvm(svmV2Body(transaction, terms)), asset: someAddress() })],
  ]
  test.each(different)('has another request hash for another %s', (_, other) => {
    expect(requestHash(other())).not.toBe(requestHash(readSvm(svmV2Body(transaction, terms))))
  })

  test('has another request hash when anything else was signed', async () => {
    const again = await svmPayment({ payer, ...terms })
    expect(requestHash(readSvm(svmV2Body(again, terms)))).not.toBe(requestHash(readSvm(svmV2Body(transaction, terms))))
  })
})
