import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../test/support/service/webhook-receiver'
import { until } from '../../test/support/until'
import { isPublicAddress } from '../http/public-addresses'
import { createSendWebhook, receiverFault } from './receiver'

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
beforeEach(() => {
  receiver.received.length = 0
})
afterAll(() => receiver.close())

const local = { privateHosts: true }
const open = { privateHosts: false }

describe('a message', () => {
  test('is posted as JSON with its headers, byte by byte', async () => {
    receiver.answer(() => ({ status: 204 }))
    expect(await createSendWebhook(local)(receiver.url, { 'webhook-id': 'one' }, '{"é":1}')).toEqual({ status: 204 })
    expect(receiver.received).toEqual([
      {
        path: '/hook',
        body: '{"é":1}',
        headers: expect.objectContaining({ 'content-type': 'application/json', 'webhook-id': 'one', 'content-length': '8' }),
      },
    ])
  })

  test('follows no redirect', async () => {
    receiver.answer(() => ({ status: 302, headers: { location: receiver.url } }))
    expect(await createSendWebhook(local)(receiver.url, {}, '{}')).toEqual({ status: 302, text: 'said' })
    expect(receiver.received).toHaveLength(1)
  })

  test('times out without a response', async () => {
    receiver.answer(() => 'nothing')
    const post = createSendWebhook(local, { timeoutMs: 200 })
    expect(await post(receiver.url, {}, '{}')).toEqual({ failure: 'no answer within 1 seconds' })
  })

  test('with an endless response counts as answered', async () => {
    receiver.answer(() => 'endless')
    // A longer time each try: a slow machine may need it for the first bytes.
    let timeoutMs = 100
    let answer: object = {}
    await until(async () => {
      timeoutMs *= 2
      answer = await createSendWebhook(local, { timeoutMs })(receiver.url, {}, '{}')
      return 'status' in answer
    }, 'the status of the response')
    expect(answer).toEqual({ status: 200, text: 'said' })
  })

  test.each([
    ['nothing', '', undefined],
    ['a text', 'no such <b>order</b>', 'no such <b>order</b>'],
    ['4 KB', 'a'.repeat(4_096), 'a'.repeat(4_096)],
    ['more than 4 KB', 'a'.repeat(100_000), `${'a'.repeat(4_096)}…`],
    ['a letter across the cut', `${'a'.repeat(4_095)}é`, `${'a'.repeat(4_095)}…`],
    ['zeros and bytes that are no text', Uint8Array.of(0x61, 0, 0xff, 0x62), 'a\ufffdb'],
  ])('that is answered with %s has the beginning of it as text', async (_what, body, text) => {
    receiver.answer(() => ({ status: 200, body }))
    const reply = await createSendWebhook(local)(receiver.url, {}, '{}')
    expect(reply).toEqual({ status: 200, ...(text === undefined ? {} : { text }) })
  })

  test('with a switched protocol fails at once', async () => {
    receiver.answer(() => 'switching')
    expect(await createSendWebhook(local)(receiver.url, {}, '{}')).toEqual({ failure: 'it cannot be reached (NO_ANSWER)' })
  })

  test('without a server fails with the reason', async () => {
    const closed = await startReceiver()
    await closed.close()
    expect(await createSendWebhook(local)(closed.url, {}, '{}')).toEqual({ failure: 'it cannot be reached (ECONNREFUSED)' })
  })
})

describe('a public service', () => {
  const port = () => new URL(receiver.url).port

  test.each([
    [['127.0.0.1'], 'its name resolves to a private address'],
    [['93.184.215.14', '10.0.0.1'], 'its name resolves to a private address'],
    [['169.254.169.254'], 'its name resolves to a private address'],
    [['::1'], 'its name resolves to a private address'],
    [[], 'its name resolves to a private address'],
  ])('sends nothing to a name that leads to %j', async (addresses, failure) => {
    const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const post = createSendWebhook(open, { resolve })
    expect(await post(`https://hook.merchant.com:${port()}/hook`, {}, '{}')).toEqual({ failure })
    expect(receiver.received).toEqual([])
  })

  test('sends nothing to a forbidden URL', async () => {
    const post = createSendWebhook(open)
    expect(await post(receiver.url, {}, '{}')).toEqual({ failure: 'its URL must begin with https://' })
    const host = { failure: 'its URL must have a public host, by its name' }
    for (const name of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[::ffff:7f00:1]',
      'localhost',
      'a.localhost',
      'metadata',
      'db.internal',
    ])
      expect([name, await post(`https://${name}/hook`, {}, '{}')]).toEqual([name, host])
  })
})

test.each([
  ['hook', 'must be an absolute URL'],
  ['https://a:b@merchant.com/', 'must have no user name, no password and no fragment'],
  ['https://merchant.com/#part', 'must have no user name, no password and no fragment'],
  ['ftp://merchant.com/', 'must begin with https://'],
  [`https://merchant.com/${'a'.repeat(2_048)}`, 'must have at most 2048 characters'],
])('%s is no URL for a webhook', (url, flaw) => {
  for (const rules of [local, open]) expect(receiverFault(url, rules)).toBe(flaw)
})

test('https://merchant.com/hook?token=x is one', () => {
  expect(receiverFault('https://merchant.com/hook?token=x', open)).toBeNull()
})

const PUBLIC = ['93.184.215.14', '8.8.8.8', '172.15.255.255', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1']
const PRIVATE = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  'fe80::1',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  '64:ff9b::a00:1',
  '2002:a00:1::',
  '2001:0:1::1',
  '2001:db8::1',
  'nonsense',
  '',
]

test.each(PUBLIC)('%s is a public address', (address) => expect(isPublicAddress(address)).toBe(true))
test.each(PRIVATE)('%s is none', (address) => expect(isPublicAddress(address)).toBe(false))
