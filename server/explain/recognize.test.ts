import { describe, expect, test } from 'vitest'
import { recognize } from './recognize'

const payload = { x402Version: 2, accepted: { scheme: 'exact', network: 'eip155:84532' }, payload: { signature: '0x' } }
const answer = { x402Version: 1, error: 'pay', accepts: [{ scheme: 'exact', network: 'base-sepolia' }] }
const required = { ...answer, x402Version: 2 }
const text = (value: unknown) => JSON.stringify(value)
const base64 = (value: unknown) => Buffer.from(text(value)).toString('base64')
const NOTHING = { header: null, body: null, whole: false }

describe('a payment is recognized', () => {
  test.each([
    ['as an object', payload],
    ['as JSON', ` ${text(payload)}\n`],
    ['in base64', base64(payload)],
    ['in url-safe base64 without padding', Buffer.from(text(payload)).toString('base64url')],
    ['in a JSON string', text(base64(payload))],
    ['as a header of version 2', `PAYMENT-SIGNATURE: ${base64(payload)}`],
    ['as a header of version 1', `x-payment: ${base64(payload)}`],
    ['in the output of curl -v', `> POST / HTTP/1.1\n> X-Payment: ${base64(payload)}\n> accept: */*`],
    ['as an object of headers', { 'Payment-Signature': base64(payload) }],
  ])('%s', (_how, input) => {
    expect(recognize(input)).toEqual({ kind: 'payment', payload, offer: NOTHING })
  })

  test('with the 402 response that was pasted beside it', () => {
    const pasted = `PAYMENT-REQUIRED: ${base64(required)}\nPAYMENT-SIGNATURE: ${base64(payload)}`
    expect(recognize(pasted)).toEqual({ kind: 'payment', payload, offer: { ...NOTHING, header: required } })
  })
})

describe('a 402 response is recognized', () => {
  test('by its header or by its body', () => {
    expect(recognize(base64(required))).toEqual({ kind: 'payment_required', offer: { ...NOTHING, header: required } })
    expect(recognize(answer)).toEqual({ kind: 'payment_required', offer: { ...NOTHING, body: answer } })
  })

  test('as a whole, as curl -i prints it', () => {
    const head = `HTTP/2 402\r\ncontent-type: application/json\r\npayment-required: ${base64(required)}`
    const whole = { kind: 'payment_required', offer: { header: required, body: answer, whole: true } }
    expect(recognize(`${head}\r\n\r\n${text(answer)}`)).toEqual(whole)
    expect(recognize(`${head}\r\n\r\n<html>pay</html>`)).toEqual({ ...whole, offer: { ...whole.offer, body: null } })
  })
})

test.each([
  ['payment_request', { paymentPayload: base64(payload), paymentRequirements: {} }],
  ['payment_requirements', { scheme: 'exact', network: 'base', payTo: '0x12' }],
  ['payment_response', { success: false, errorReason: 'x', transaction: '', network: 'base' }],
  ['payment_response', `X-PAYMENT-RESPONSE: ${base64({ success: true })}`],
  ['verify_response', { isValid: true, payer: '0x12' }],
  ['settlement', '019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234'],
  ['settlement', `0x${'ab'.repeat(32)}`],
  ['settlement', '5'.repeat(88)],
  ['reason', 'duplicate_settlement'],
  ['reason', 'invalid_exact_evm_signature'],
  ['url', 'https://merchant.example/weather?city=Lisbon'],
])('a %s is recognized', (kind, input) => {
  expect(recognize(input).kind).toBe(kind)
})

test.each([
  ['', 'the input is empty'],
  ['hello there', 'the input is not JSON, a header, an ID or base64'],
  ['{"a":1,}', 'the input is not valid JSON'],
  ['{"a" 1}', 'the input is not valid JSON, at character 5'],
  ['[1]', 'the input is JSON, but not an object'],
  [{}, 'the object is empty'],
  [{ city: 'Lisbon' }, 'no x402 object has these fields: city'],
  ['PAYMENT-SIGNATURE: e%', 'the header with the payment is not base64'],
  // It has the end of base64, so that nothing was cut from it.
  [Buffer.from('{"a":').toString('base64'), 'the decoded input is not valid JSON'],
  ['HTTP/1.1 402 Payment Required\n\npay', 'the answer has neither a header of x402 nor a JSON body'],
  [`{"a":${'['.repeat(20)}${']'.repeat(20)}}`, 'the input is nested deeper than 16 levels'],
])('junk is unknown, and it is said where: %j', (input, problem) => {
  expect(recognize(input)).toEqual({ kind: 'unknown', problem: expect.stringContaining(problem) })
})

test.each([
  ['{"a":"b', 'the input is cut off after 7 characters'],
  ['{"a":"\\', 'the input is cut off after 7 characters'],
  [base64(payload).slice(0, 9), 'the header is cut off after 9 characters'],
  [base64(payload).slice(0, 40), 'the header is cut off after 40 characters'],
  [`X-PAYMENT: ${base64(payload).slice(0, 41)}`, 'the header is cut off after 41 characters'],
])('a text that lost its end is named so: %j', (input, problem) => {
  expect(recognize(input)).toMatchObject({ kind: 'unknown', problem, remedy: expect.stringContaining('Copy the whole header') })
})

test('what stands whole before the cut is read', () => {
  const read = { x402Version: 2, accepted: { scheme: 'exact' } }
  expect(recognize(base64(payload).slice(0, 80))).toMatchObject({ kind: 'unknown', read })
  expect(recognize('{"a":[{"b":"x,y"},{"c":"')).toMatchObject({ read: { a: [{ b: 'x,y' }] } })
  expect(recognize('{"a":"b')).not.toHaveProperty('read')
})
