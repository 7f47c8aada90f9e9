import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { openServer, request, served } from '../../test/support/service/http-server'
import { createHttpServer } from './server'

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describe('a client that hangs up', () => {
  test('aborts the signal of its request and is logged as 499', async () => {
    const entered = gate()
    const aborted = gate()
    const { dial, line } = await openServer({
      routes: served(async ({ signal }) => {
        signal.addEventListener('abort', aborted.open)
        entered.open()
        await aborted.opened
        return new Response('too late')
      }),
    })
    const wire = await dial()
    wire.say(request('POST /v1/key/settle', {}, '{}'))
    await entered.opened
    wire.socket.destroy()
    await aborted.opened
    const { status, error } = await line()
    expect({ status, error }).toEqual({ status: 499, error: undefined })
  })

  test('in the middle of its body ends the reading', async () => {
    const failed = gate()
    const entered = gate()
    const { dial } = await openServer({
      routes: served(async (incoming) => {
        entered.open()
        await incoming.text().catch(failed.open)
        return new Response('too late')
      }),
    })
    const wire = await dial()
    wire.say(request('POST /v1/key/settle', { 'Content-Length': '10' }))
    wire.say('{')
    await entered.opened
    wire.socket.destroy()
    await failed.opened
  })

  test('a signal does not abort after the response was sent', async () => {
    const signals: AbortSignal[] = []
    const { ask, line } = await openServer({
      routes: served(async ({ signal }) => {
        signals.push(signal)
        return new Response('ok')
      }),
    })
    await ask(request('POST /v1/key/settle', {}, '{}'))
    await line()
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  })
})

describe('answers', () => {
  test('have a length, keep repeated cookies separate, and override the default headers', async () => {
    const headers = new Headers({ 'cache-control': 'public, max-age=300' })
    headers.append('set-cookie', 'a=1')
    headers.append('set-cookie', 'b=2')
    const { ask } = await openServer({ routes: served(async () => new Response('héllo', { headers })) })
    const answer = await ask(request('POST /v1/key/settle', {}, ''))
    expect(answer).toMatchObject({ body: 'héllo', headers: { 'content-length': '6', 'cache-control': 'public, max-age=300' } })
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })

  test('longer than 64 KB are streamed with backpressure', async () => {
    const piece = new Uint8Array(65_536)
    const pieces = 1_000
    let produced = 0
    const long = new ReadableStream({
      pull(controller) {
        produced += 1
        controller.enqueue(piece)
        if (produced === pieces) controller.close()
      },
    })
    const { port } = await openServer({ routes: served(async () => new Response(long)) })
    const socket = connect(port, '127.0.0.1')
    socket.write(request('POST /v1/key/settle', { Connection: 'close' }, ''))
    let received = 0
    let lead = 0
    for await (const part of socket) {
      received += part.length
      lead = Math.max(lead, produced * piece.length - received)
    }
    expect(received).toBeGreaterThan(pieces * piece.length)
    expect(lead).toBeLessThan((pieces / 4) * piece.length)
  })

  test('with a broken stream end the connection instead of looking complete', async () => {
    const broken = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(70_000))
        controller.error(new Error('upstream went away'))
      },
    })
    const { dial } = await openServer({ routes: served(async () => new Response(broken)) })
    const wire = await dial()
    wire.say(request('POST /v1/key/settle', {}, ''))
    expect((await wire.answers(1)).map(({ status }) => status)).not.toContain(200)
  })
})

describe('drain', () => {
  test('lets a running payment finish, sends close, and closes idle connections', async () => {
    const entered = gate()
    const leave = gate()
    const { dial, server } = await openServer({
      routes: served(async () => {
        entered.open()
        await leave.opened
        return new Response('done')
      }),
    })
    const idle = await dial()
    idle.say(request('GET /home'))
    await idle.answers(1)
    const busy = await dial()
    busy.say(request('POST /v1/key/settle', {}, '{}'))
    await entered.opened

    const drained = server.drain()
    await idle.ended
    leave.open()
    const [answer] = await busy.answers(1)
    expect(answer).toMatchObject({ status: 200, body: 'done', headers: { connection: 'close' } })
    await drained
    await busy.ended
  })
})

describe('listening', () => {
  test('rejects when the port is taken', async () => {
    const { port } = await openServer()
    const second = createHttpServer({
      routes: [],
      fallback: async () => {},
      trustedProxyHops: 0,
      accepting: () => true,
      log: () => {},
      onTrouble: console.error,
    })
    await expect(second.listen(port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  test('a request whose headers never end is closed with 408', async () => {
    const { dial } = await openServer({ timeouts: { headersMs: 50, requestMs: 100, keepAliveMs: 1_000 } })
    const wire = await dial()
    wire.say('GET /health HTTP/1.1\r\nHost: x\r\n')
    expect(await wire.answers(1)).toMatchObject([{ status: 408 }])
  })
})

describe('Upgrade', () => {
  test('is ignored without an upgrade handler: the request gets a normal response', async () => {
    const { ask } = await openServer()
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket' }
    expect((await ask(request('GET /home', headers))).status).toBe(200)
  })

  test('goes to the handler in development', async () => {
    const seen: (string | undefined)[] = []
    const { dial } = await openServer({
      upgrade: (req, socket) => {
        seen.push(req.url)
        socket.destroy()
      },
    })
    const wire = await dial()
    wire.say(request('GET /_next/webpack-hmr', { Connection: 'Upgrade', Upgrade: 'websocket' }))
    await once(wire.socket, 'close')
    expect(seen).toEqual(['/_next/webpack-hmr'])
  })

  test('of anything but Next itself is refused, and drain ends the rest', async () => {
    const seen = gate()
    const { dial, server } = await openServer({ upgrade: () => seen.open() })
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket' }
    const other = await dial()
    other.say(request('GET /sandbox/settle', headers))
    await other.ended
    const client = await dial()
    client.say(request('GET /_next/hmr', headers))
    await seen.opened
    await server.drain()
    await client.ended
  })
})
