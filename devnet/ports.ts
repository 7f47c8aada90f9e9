import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

export type PortWish = { port: number; user: string; variable: string }

/** Refuses, before anything starts, when somebody else already listens where we want to. */
export async function requireFreePorts(wishes: PortWish[]): Promise<void> {
  for (const { port, user, variable } of wishes) {
    if (port === 0) continue
    // Both, because some systems let one program have the loopback and another everything else.
    const free = (await canListen(port, '127.0.0.1')) && (await canListen(port))
    if (!free)
      throw new Error(`Port ${port}, which ${user} needs, is taken. Free it, or choose another with ${variable}=${port + 10}.`)
  }
}

/** The port itself, or for 0 one that nobody uses at this moment. */
export async function settledPort(port: number): Promise<number> {
  if (port !== 0) return port
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port: free } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return free
}

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
