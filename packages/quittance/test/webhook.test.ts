import { expect, test } from 'vitest'
import { exampleMessage } from '../../../server/webhooks/example'
import { signedHeaders } from '../../../server/webhooks/messages'
import { InvalidWebhook, verifyWebhook } from '../src/webhook'

const { headers, body, secret } = exampleMessage()
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

test.each([
  ['a changed body', `${body} `, headers, sentAt, 'no signature holds'],
  ['an old message', body, headers, sentAt + 301, 'its time is too far from the clock'],
  ['a message without headers', body, {}, sentAt, 'a header of Standard Webhooks is missing'],
  ['another version of signatures', body, { ...headers, 'webhook-signature': 'v2,AAAA' }, sentAt, 'no signature holds'],
])('verifyWebhook throws for %s', (_, text, given, now, message) => {
  expect(() => verifyWebhook(text, given, secret, at(now))).toThrow(new InvalidWebhook(message))
})
