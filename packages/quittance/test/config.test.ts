import { afterEach, expect, test, vi } from 'vitest'
import { createFacilitatorConfig, facilitator } from '../src/config'
import { paymentKey } from '../src/payment-key'
import { CONFIGURED, ONE_PAYMENT, SERVICE_BASE, UNNAMED } from './shared-cases'

afterEach(() => vi.unstubAllEnvs())

test('facilitator is what FACILITATOR_URL names, and says which variable is missing', () => {
  vi.stubEnv('FACILITATOR_URL', `${SERVICE_BASE}/v1/qt_key/`)
  expect(facilitator.url).toBe(`${SERVICE_BASE}/v1/qt_key`)
  vi.stubEnv('FACILITATOR_URL', '')
  expect(() => facilitator.url).toThrow('FACILITATOR_URL is not set')
})

test.each(CONFIGURED)(
  'createFacilitatorConfig makes $becomes of key $key, URL $url, flash $flash',
  ({ key, becomes, ...choice }) => {
    vi.stubEnv('FACILITATOR_URL', `${SERVICE_BASE}/sandbox`)
    const create = () => createFacilitatorConfig(key, choice)
    if (becomes === null) expect(create).toThrow(/has letters|is no http|needs an API key/)
    else expect(create()).toEqual({ url: becomes })
  },
)

test('a payment has one name however it is written, and another one has another', () => {
  const names = ONE_PAYMENT.map((written) => new Set(written.map(paymentKey)))
  expect(names.map(({ size }) => size)).toEqual(ONE_PAYMENT.map(() => 1))
  expect(new Set(names.flatMap((of) => [...of])).size).toBe(ONE_PAYMENT.length)
  expect(names.flatMap((of) => [...of])).not.toContain(null)
  expect(UNNAMED.map(paymentKey)).toEqual(UNNAMED.map(() => null))
})

test('a payload of two forms has no name: a facilitator could read the other one', () => {
  const both = { payload: { authorization: {}, permit2Authorization: {} } }
  expect(() => paymentKey(both)).toThrow('the payment has two forms: authorization and permit2Authorization')
})
