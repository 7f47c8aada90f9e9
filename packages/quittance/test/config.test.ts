import { afterEach, expect, test, vi } from 'vitest'
import { createFacilitatorConfig, facilitator } from '../src/config'
import { paymentKey } from '../src/payment-key'

afterEach(() => vi.unstubAllEnvs())

test('facilitator is what FACILITATOR_URL names, and says which variable is missing', () => {
  vi.stubEnv('FACILITATOR_URL', 'https://pay.example/v1/qt_key/')
  expect(facilitator.url).toBe('https://pay.example/v1/qt_key')
  vi.stubEnv('FACILITATOR_URL', '')
  expect(() => facilitator.url).toThrow('FACILITATOR_URL is not set')
})

test('createFacilitatorConfig makes the URL of a key from any URL of the service', () => {
  vi.stubEnv('FACILITATOR_URL', 'https://pay.example/sandbox')
  expect(createFacilitatorConfig()).toEqual({ url: 'https://pay.example/sandbox' })
  expect(createFacilitatorConfig('qt_key')).toEqual({ url: 'https://pay.example/v1/qt_key' })
  expect(createFacilitatorConfig('qt_key', { flash: true })).toEqual({ url: 'https://pay.example/v1/qt_key/flash' })
  for (const url of ['http://localhost:3000', 'http://localhost:3000/v1/qt_old/flash', 'http://localhost:3000/sandbox/']) {
    expect(createFacilitatorConfig('qt_key', { url })).toEqual({ url: 'http://localhost:3000/v1/qt_key' })
    expect(createFacilitatorConfig(undefined, { url })).toEqual({ url: 'http://localhost:3000/sandbox' })
  }
  expect(() => createFacilitatorConfig('qt/../x')).toThrow('an API key has letters')
  expect(() => createFacilitatorConfig('qt_key', { url: 'pay.example' })).toThrow('"pay.example" is no http(s) URL')
})

test('a payment has one name however it is written', () => {
  const from = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
  const named = (authorization: object) => paymentKey({ x402Version: 1, payload: { authorization } })
  expect(named({ from, nonce: `0x${'0A'.repeat(32)}` })).toBe(named({ from: from.toLowerCase(), nonce: `0x${'0a'.repeat(32)}` }))
  const permit2 = (nonce: string) => paymentKey({ payload: { permit2Authorization: { from, nonce } } })
  expect(permit2('255')).toBe(permit2('0xff'))
  expect(permit2('255')).not.toBe(named({ from, nonce: `0x${'ff'.padStart(64, '0')}` }))
  expect(paymentKey({ payload: { other: {} } })).toBeNull()
})

test('on Solana the key depends on the message alone, not on its signatures', () => {
  const transaction = (signature: number) =>
    Buffer.concat([Buffer.from([2]), Buffer.alloc(128, signature), Buffer.from('message')]).toString('base64')
  const named = (signature: number) => paymentKey({ payload: { transaction: transaction(signature) } })
  expect(named(0)).toBe(named(7))
  expect(named(0)).not.toBeNull()
})

test('a payload of two forms has no name: a facilitator could read the other one', () => {
  const both = { payload: { authorization: {}, permit2Authorization: {} } }
  expect(() => paymentKey(both)).toThrow('the payment has two forms: authorization and permit2Authorization')
})
