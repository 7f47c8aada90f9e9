import { expect, test } from 'vitest'
import { signedHeaders } from '../../../server/webhooks/messages'
import { InvalidWebhook, verifyWebhook } from '../src/webhook'
import { webhookCases } from './shared-cases'

const { headers, body, secret, bad, shortSecrets } = webhookCases()
const sentAt = Number(headers['webhook-timestamp'])
const at = (seconds: number) => ({ now: () => seconds * 1_000 })

test('verifyWebhook returns the message, from headers of Node and of the web', () => {
  for (const given of [headers, new Headers(headers)]) {
    const message = verifyWebhook(body, given, secret, at(sentAt + 299))
    expect(message).toMatchObject({ id: headers['webhook-id'], type: 'payment.settled', data: { success: true } })
  }
  expect(verifyWebhook(Buffer.from(body), headers, secret, at(sentAt)).type).toBe('payment.settled')
})

test('verifyWebhook takes a message that two secrets signed, during a rotation', () => {
  const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  const both = signedHeaders([other, secret], { id: 'message', timestamp: sentAt, body })
  for (const one of [secret, other]) expect(verifyWebhook(body, both, one, at(sentAt)).id).toBe('message')
})

test.each(bad)('verifyWebhook throws for %s', (_, changed, message) => {
  const given = { body, headers, later: 0, ...changed }
  const verifying = () => verifyWebhook(given.body, given.headers, secret, at(sentAt + given.later))
  expect(verifying).toThrow(new InvalidWebhook(message))
})

test.each(shortSecrets)('verifyWebhook takes nothing with the secret "%s", with which anyone could sign', (short) => {
  const forged = signedHeaders([short.padEnd(6, 'whsec_')], { id: 'message', timestamp: sentAt, body })
  expect(() => verifyWebhook(body, forged, short, at(sentAt))).toThrow('at least 24 bytes')
})
