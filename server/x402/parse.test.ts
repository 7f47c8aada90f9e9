import { generateKeyPairSigner } from '@solana/kit'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { changed, encode, mixedBody, parseRefusal, solanaBody } from '../../test/support/payloads/bodies'
import { innerPayload, requirements, type SignedPayment, signed, v1Body, v2Body } from '../../test/support/payloads/payments'
import { SVM_NETWORK, SVM_USDC, someAddress, svmPayment, svmV1Body, svmV2Body } from '../../test/support/svm/forge'
import { parsePayment } from './parse'
import { claimedPayer, isEip3009, isSigned, isSvm } from './payment'

let payment: SignedPayment

beforeAll(async () => {
  payment = await signed(privateKeyToAccount(generatePrivateKey()))
})

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

  test.each<[string, string, unknown]>([
    ['a text in the place of an object', 'paymentPayload.resource', 'http://merchant.test/weather'],
    ['an object in the place of a text', 'paymentRequirements.resource', { url: 'http://merchant.test/weather' }],
    ['no object but an empty one of PHP', 'paymentRequirements.resource', []],
  ])('reads the URL of its resource from %s', (_what, path, written) => {
    expect(parsePayment(changed(v2Body(payment), path, written)).resource).toBe('http://merchant.test/weather')
  })

  test('may name a URL of 8,192 characters', () => {
    const url = `http://merchant.test/weather?q=${'x'.repeat(8_161)}`
    expect(url).toHaveLength(8_192)
    for (const path of ['paymentPayload.resource.url', 'paymentRequirements.resource'])
      expect(parsePayment(changed(v2Body(payment), path, url)).resource).toBe(url)
  })

  test('has an empty object where PHP writes an empty array', () => {
    const written = ['paymentPayload.extensions', 'paymentRequirements.extra', 'paymentRequirements.outputSchema']
    const body = written.reduce((so, path) => changed(so, path, []), v2Body(payment))
    expect(parsePayment(body)).toMatchObject({ domain: null, declared: { extensions: {}, extra: {}, outputSchema: {} } })
    expect(parsePayment(changed(v2Body(payment), 'paymentPayload.resource', [])).resource).toBe('')
  })

  test('has no domain when extra does not name both halves of it', () => {
    for (const extra of [undefined, null, {}, { name: 'USDC' }, { name: '', version: '2' }, { name: 'USDC', version: 2 }]) {
      expect(parsePayment(v2Body(payment, { requirements: { extra } })).domain).toBeNull()
    }
  })

  test('of another kind keeps its name only, to be judged', () => {
    const upto = { requirements: { scheme: 'upto' } }
    const permit2 = { payload: { permit2Authorization: {} } }
    expect(parsePayment(v2Body(payment, { ...upto, ...permit2 })).transfer).toEqual({ kind: 'other', payload: 'permit2' })
    expect(parsePayment(v2Body(payment, upto)).transfer).toEqual({ kind: 'other', payload: null })
    expect(() => parsePayment(v2Body(payment, permit2))).toThrow('permit2Authorization.from is missing')
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
    expect(parseRefusal(changed(solanaBody(), 'paymentRequirements.payTo', payTo))).toEqual({
      refusal: 'bad_request',
      message: 'paymentRequirements.payTo is not an address on Solana devnet (base58, 32 bytes)',
      reason: 'invalid_payment_requirements',
    })
  })
})
