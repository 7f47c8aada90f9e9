import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

type PortWish = { port: number; user: string; variable: string }

/** Throws when another program listens on a port that we need. A run that was killed gets `graceMs` to free its ports. */
export async function requireFreePorts(wanted: PortWish[], graceMs = 0): Promise<void> {
  const deadline = Date.now() + graceMs
  for (const { port, user, variable } of wanted) {
    if (port === 0) continue
    while (!(await isFree(port))) {
      if (Date.now() >= deadline)
        throw new Error(`Port ${port}, which ${user} needs, is taken. Free it, or choose another with ${variable}=${port + 10}.`)
      await delay(200)
    }
  }
}

/** The port itself; for 0 a port that is free now. */
export async function settledPort(port: number): Promise<number> {
  if (port !== 0) return port
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port: free } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return free
}

// Both, because some systems let one program have the loopback and another program everything else.
const isFree = async (port: number): Promise<boolean> => (await canListen(port, '127.0.0.1')) && (await canListen(port))

async function canListen(port: number, host?: string): Promise<boolean> {
  const server = createServer().listen(host === undefined ? { port } : { port, host })
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
