import { expect, test } from 'vitest'
import { isPlainWords, needsRequirements } from './pasted-text'

test('plain words are recognized while they are typed', () => {
  expect(['hello, this is no payment', 'why does it\nfail'].map(isPlainWords)).toEqual([true, true])
  const others = [
    '',
    'hello',
    '{ "x402Version": 2 }',
    '[1, 2]',
    'PAYMENT-SIGNATURE: eyJ4',
    'X-PAYMENT: eyJ4',
    'x-payment',
    'HTTP/1.1 402 Payment Required\n\n{}',
    '* Connected\n< HTTP/1.1 402\n< payment-required: eyJ4',
    `${'a'.repeat(76)}\n${'b'.repeat(20)}`,
    'invalid_exact_evm_signature',
    '019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234',
    'https://merchant.example/weather',
  ]
  expect(others.filter(isPlainWords)).toEqual([])
})

test('only a whole payment of version 1 without its requirements needs them', () => {
  const payment = (x402Version: number) => JSON.stringify({ x402Version, scheme: 'exact', payload: {} })
  for (const text of [payment(1), btoa(payment(1)), `X-PAYMENT: ${btoa(payment(1))}`]) expect(needsRequirements(text)).toBe(true)
  const others = [
    '',
    'hello',
    payment(2),
    '{"x402Version":1,"accepts":[]}',
    `{"paymentRequirements":{},"paymentPayload":${payment(1)}}`,
  ]
  for (const text of others) expect(needsRequirements(text)).toBe(false)
})
