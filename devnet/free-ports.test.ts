import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { requireFreePorts, settledPort } from './free-ports'

let other: Server
let port = 0
beforeEach(async () => {
  other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  port = (other.address() as AddressInfo).port
})
afterEach(() => {
  other.close()
})

test('a taken port is named, with its user and another port', async () => {
  const wish = { port, user: 'the service', variable: 'DEMO_PORT' }
  await expect(requireFreePorts([{ ...wish, port: 0 }, wish])).rejects.toThrow(
    `Port ${port}, which the service needs, is taken. Free it, or choose another with DEMO_PORT=${port + 10}.`,
  )
})

test('a port that becomes free in time is not refused', async () => {
  const freed = requireFreePorts([{ port, user: 'the service', variable: 'DEMO_PORT' }], 10_000)
  other.close()
  await expect(freed).resolves.toBeUndefined()
})

test('port 0 becomes a free port', async () => {
  const free = await settledPort(0)
  await expect(requireFreePorts([{ port: free, user: 'the service', variable: 'DEMO_PORT' }])).resolves.toBeUndefined()
})
