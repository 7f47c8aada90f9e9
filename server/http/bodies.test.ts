import { describe, expect, test } from 'vitest'
import { openServer, request, served } from '../../test/support/service/http-server'

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const chunked = { 'Transfer-Encoding': 'chunked' }
const settleRefusal = { success: false, errorReason: 'payload_too_large', transaction: '', network: '' }

const unauthorized = async () => new Response('no', { status: 401 })

describe('a body at its limit', () => {
  test('of 16 KB reaches the settle handler complete', async () => {
    const { ask } = await openServer()
    const body = 'x'.repeat(16_384)
    expect(JSON.parse((await ask(request('POST /sandbox/settle', {}, body))).body).body).toBe(body)
  })

  test('arrives in chunks and in slow pieces as well', async () => {
    const { dial } = await openServer()
    const wire = await dial()
    wire.say(request('POST /sandbox/settle', chunked))
    for (const piece of ['{"a"', ':', '1}']) {
      wire.say(chunk(piece))
      await new Promise(setImmediate)
    }
    wire.say('0\r\n\r\n')
    const [answer] = await wire.answers(1)
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ body: '{"a":1}' })
  })

  test('arrives at Next in chunks as well', async () => {
    const { ask, line } = await openServer()
    const answer = await ask(`${request('POST /api/trpc/me.keys', chunked)}${chunk('ab')}${chunk('c')}0\r\n\r\n`)
    expect(JSON.parse(answer.body)).toMatchObject({ page: true, method: 'POST', url: '/api/trpc/me.keys', body: 'abc' })
    expect((await line()).bytesIn).toBe(3)
  })
})

describe('413', () => {
  test('is refused at once for a declared length, before a byte of the body', async () => {
    const { ask } = await openServer()
    const answer = await ask(request('POST /sandbox/settle', { 'Content-Length': '16385' }))
    expect(answer.status).toBe(413)
    expect(JSON.parse(answer.body)).toEqual({
      error: 'the body is larger than 16 KB, the limit of this route',
      ...settleRefusal,
      errorMessage: expect.any(String),
    })
  })

  test('closes the connection of a client that announced a long body', async () => {
    const { dial } = await openServer()
    const wire = await dial()
    wire.say(request('POST /sandbox/settle', { 'Content-Length': '10000000' }))
    wire.say('x'.repeat(400_000))
    const [answer] = await wire.answers(1)
    expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' } })
    await wire.ended
  })

  test.each(['POST /sandbox/settle', 'POST /admin/tenants', 'POST /api/trpc/x', 'POST /home'])(
    '%s: chunks are counted while they arrive',
    async (target) => {
      const { dial } = await openServer()
      const wire = await dial()
      wire.say(request(target, chunked))
      wire.say(chunk('x'.repeat(10_000)))
      wire.say(chunk('x'.repeat(10_000)))
      const [answer] = await wire.answers(1)
      expect(answer?.status).toBe(413)
      expect(answer?.headers.connection).toBe('close')
      wire.say('0\r\n\r\n')
      await wire.ended
    },
  )

  test.each(['POST /admin/tenants', 'POST /api/trpc/x', 'POST /home', 'GET /health'])(
    '%s: all other routes accept 4 KB',
    async (target) => {
      const { ask } = await openServer()
      expect((await ask(request(target, {}, 'x'.repeat(4_097)))).status).toBe(413)
    },
  )

  test('a handler sees the limit as a refusal by its brand', async () => {
    const seen: unknown[] = []
    const read = async (incoming: Request) => {
      await incoming.text().catch((error) => seen.push(error))
      return new Response('seen')
    }
    const { dial } = await openServer({ routes: served(read, 4) })
    const wire = await dial()
    wire.say(`${request('POST /v1/key/settle', chunked)}${chunk('12345')}0\r\n\r\n`)
    await wire.answers(1)
    expect(seen).toEqual([expect.objectContaining({ [Symbol.for('quittance.service-error')]: true, refusal: 'too_large' })])
  })
})

describe('400', () => {
  test.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n'],
    ['a negative length', 'Content-Length: -1\r\n'],
    ['a length that is no number', 'Content-Length: 2x\r\n'],
    ['a length in hexadecimal', 'Content-Length: 0x2\r\n'],
    ['a list of lengths', 'Content-Length: 2, 2\r\n'],
    ['a length beside chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n'],
    ['a transfer encoding besides chunked', 'Transfer-Encoding: gzip, chunked\r\n'],
    ['a compressed body', 'Content-Encoding: gzip\r\nContent-Length: 2\r\n'],
    ['a header line without a colon', 'Nonsense\r\n'],
    ['a space before the colon', 'Content-Length : 2\r\n'],
    ['headers over 16 KB', `X-Long: ${'x'.repeat(20_000)}\r\n`],
  ])('for %s, in JSON', async (_what, lines) => {
    const { ask, line } = await openServer()
    const answer = await ask(`POST /sandbox/settle HTTP/1.1\r\nHost: quittance.test\r\n${lines}\r\n{}`)
    expect(answer.status).toBe(400)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(JSON.parse(answer.body)).toMatchObject({ error: expect.any(String) })
    expect((await line()).status).toBe(400)
  })

  test('for a missing Host header', async () => {
    const { ask } = await openServer()
    expect((await ask('GET /health HTTP/1.1\r\n\r\n')).status).toBe(400)
  })

  test('for bytes that are no HTTP', async () => {
    const { ask } = await openServer()
    expect(JSON.parse((await ask('\x16\x03\x01 hello\r\n\r\n')).body)).toEqual({
      error: expect.stringContaining('not valid HTTP'),
    })
  })

  test('for a broken chunk size in the middle of a body', async () => {
    const { dial } = await openServer()
    const wire = await dial()
    wire.say(`${request('POST /sandbox/settle', chunked)}${chunk('{}')}zz\r\n`)
    const [answer] = await wire.answers(1)
    expect(answer?.status).toBe(400)
    await wire.ended
  })
})

describe('Expect: 100-continue', () => {
  const expecting = { Expect: '100-continue' }

  test('a body that is too long is refused without 100 Continue', async () => {
    const { dial } = await openServer()
    const wire = await dial()
    wire.say(request('POST /sandbox/settle', { ...expecting, 'Content-Length': '20000' }))
    const [answer] = await wire.answers(1)
    expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' } })
    await wire.ended
  })

  test.each(['POST /sandbox/settle', 'POST /api/trpc/x'])(
    '%s: a handler that reads the body sends 100 Continue',
    async (target) => {
      const { dial } = await openServer()
      const wire = await dial()
      wire.say(request(target, { ...expecting, 'Content-Length': '2' }))
      const [interim] = await wire.answers(1)
      wire.say('{}')
      const [answer] = await wire.answers(1)
      expect([interim?.status, answer?.status]).toEqual([100, 200])
      expect(JSON.parse(answer?.body ?? '')).toMatchObject({ body: '{}' })
    },
  )

  test('a handler that reads no body never sends 100 Continue', async () => {
    const { dial } = await openServer({ routes: served(unauthorized) })
    const wire = await dial()
    wire.say(request('POST /v1/key/settle', { ...expecting, 'Content-Length': '2' }))
    const [answer] = await wire.answers(1)
    expect(answer).toMatchObject({ status: 401, body: 'no', headers: { connection: 'close' } })
    await wire.ended
  })
})

test('an unread body is not parsed as the next request', async () => {
  const { dial } = await openServer({ routes: served(unauthorized) })
  const wire = await dial()
  const smuggled = request('GET /v1/key/settle')
  wire.say(request('POST /v1/key/settle', {}, smuggled) + request('POST /v1/key/settle', {}, ''))
  expect((await wire.answers(2)).map(({ status }) => status)).toEqual([401, 401])
})
