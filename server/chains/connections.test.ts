import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openConnections } from './connections'

const post = (signal?: AbortSignal) => ({ body: '{}', bytesMax: 1_000, ...(signal ? { signal } : {}) })
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n'

/** A server that answers the n-th request with the n-th act, on any connection. Returns its URL and the number of requests. */
async function serverThat(...acts: ((socket: Socket) => void)[]): Promise<{ url: string; requests: () => number }> {
  let requests = 0
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', () => acts[requests++]?.(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return { url: `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`, requests: () => requests }
}

const answer = (socket: Socket) => void socket.write(`${OK}[]`)

test('a request on a kept connection that was closed is sent again', async () => {
  const node = await serverThat(answer, (socket) => socket.resetAndDestroy(), answer)
  const send = openConnections(node.url)
  expect([await send(post()), await send(post()), node.requests()]).toEqual(['[]', '[]', 3])
})

test('a request whose response has begun is not sent again', async () => {
  const node = await serverThat(answer, (socket) => {
    socket.write(`${OK}[`)
    setTimeout(() => socket.resetAndDestroy(), 50)
  })
  const send = openConnections(node.url)
  expect(await send(post())).toBe('[]')
  await expect(send(post())).rejects.toThrow()
  expect(node.requests()).toBe(2)
})

test('a change of protocol is an error, not a request without an end', async () => {
  const node = await serverThat(
    (socket) => void socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  )
  await expect(openConnections(node.url)(post())).rejects.toThrow('closed without a response')
})

test('a signal ends a request without an answer', async () => {
  const node = await serverThat(() => {})
  await expect(openConnections(node.url)(post(AbortSignal.timeout(50)))).rejects.toThrow()
})
