import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TEST_EVENT, webhookEvents } from '@/server/webhooks/events'
import { exampleMessage, exampleMessages } from '@/server/webhooks/example'
import { WhatWeSend } from './what-we-send'

const shown = () => renderToStaticMarkup(<WhatWeSend messages={exampleMessages()} />)

test('has an example of each event, on a network of its environment', () => {
  const examples = exampleMessages()
  expect(examples.map(({ environment, event, body }) => `${environment} ${JSON.parse(body).type === event}`)).toEqual([
    ...[...webhookEvents, TEST_EVENT].map(() => 'mainnet true'),
    ...[...webhookEvents, TEST_EVENT].map(() => 'testnet true'),
  ])
  const networks = (of: string) =>
    new Set(examples.flatMap(({ environment, body }) => (environment === of ? (JSON.parse(body).data.network ?? []) : [])))
  expect([networks('mainnet'), networks('testnet')]).toEqual([new Set(['eip155:8453']), new Set(['eip155:84532'])])
  expect(JSON.stringify(examples)).not.toContain(exampleMessage().secret)
})

test('names every event that is sent, and every header and field of a message', () => {
  const { headers, body, secret } = exampleMessage()
  const html = shown()
  const { data } = JSON.parse(body)
  for (const name of [...webhookEvents, TEST_EVENT, ...Object.keys(headers), ...Object.keys(data)]) expect(html).toContain(name)
  expect(html).not.toContain(secret)
})

test('links once to how a message is verified', () => {
  expect(shown().match(/href="\/docs\/webhooks[^"]*"/g)).toEqual(['href="/docs/webhooks#receive"'])
})

test('is folded at first, unless it is to be open', () => {
  expect(shown()).not.toMatch(/<details[^>]*group[^>]* open=""/)
  expect(renderToStaticMarkup(<WhatWeSend messages={exampleMessages()} open />)).toMatch(/<details[^>]* open=""/)
})
