import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { type OpenServer, openServer, request, served } from '../../test/support/service/http-server'
import { openMoreListeners } from './more-listeners'

const MANY = 16

/** Opens connections at once. Returns the most that the server accepted in one turn of the event loop. */
async function acceptedInOneTurn({ port, server }: OpenServer, connections: number): Promise<number> {
  let accepted = 0
  const count = () => void accepted++
  server.server.on('connection', count)
  const sockets = Array.from({ length: connections }, () => connect(port, '127.0.0.1'))
  let most = 0
  for (let all = 0; all < connections; all = accepted) {
    await nextTurn()
    most = Math.max(most, accepted - all)
  }
  server.server.off('connection', count)
  for (const socket of sockets) socket.destroy()
  return most
}

/** A server that got many connections at once. */
async function busyServer(changes: Parameters<typeof openServer>[0] = {}): Promise<OpenServer> {
  const opened = await openServer(changes)
  const sockets: Socket[] = Array.from({ length: MANY }, () => connect(opened.port, '127.0.0.1'))
  await vi.waitFor(async () => expect(await acceptedInOneTurn(opened, 8)).toBe(8), { timeout: 30_000, interval: 50 })
  for (const socket of sockets) socket.destroy()
  return opened
}

test('a server with few connections accepts one in a turn of the event loop', async () => {
  const opened = await openServer()
  expect(await acceptedInOneTurn(opened, 4)).toBe(1)
})

test('after many connections at once, it accepts eight in a turn, and answers on each of them', async () => {
  const { ask, server } = await busyServer()
  const taken: Socket[] = []
  server.server.on('connection', (socket: Socket) => taken.push(socket))
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(request('GET /v1/key/settlements/1'))))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  // All as Node's HTTP server takes its own.
  expect(new Set(taken.map(({ allowHalfOpen }) => allowHalfOpen))).toEqual(new Set([true]))
})

test('a drained server waits for the requests of all its connections, and then takes no connection', async () => {
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  let running = 0
  const { server, port, dial } = await busyServer({
    routes: served(async () => {
      running++
      await finished
      return new Response('done')
    }),
  })
  const wires = await Promise.all(Array.from({ length: 8 }, dial))
  for (const wire of wires) wire.say(request('POST /v1/key/settle', {}, '{}'))
  await vi.waitFor(() => expect(running).toBe(8), { timeout: 30_000 })
  const drained = server.drain()
  await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  finish()
  const answers = await Promise.all(wires.map((wire) => wire.answers(1)))
  expect(answers.map(([answer]) => answer?.status)).toEqual(Array.from({ length: 8 }, () => 200))
  await drained
})

test('a socket that cannot be copied is reported, and the server goes on', async () => {
  const failed = vi.fn()
  const server = createServer()
  openMoreListeners(server, failed)
  // As in a cluster, where the handle belongs to another process.
  Object.assign(server, { _handle: {} })
  for (let open = 0; open < MANY; open++) server.emit('connection', new PassThrough())
  await vi.waitFor(() => expect(failed).toHaveBeenCalled(), { timeout: 30_000 })
})
