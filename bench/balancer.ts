import { connect, createServer, type Socket } from 'node:net'
import { boundPort } from './bound-port'

/** What stands before several instances: each new connection goes to the next of them, or past it when it does not take it. */
export type Balancer = { url: string; close: () => void }

/** Starts a balancer of connections before these origins. */
export async function startBalancer(origins: readonly string[]): Promise<Balancer> {
  const targets = origins.map((origin) => new URL(origin))
  const open = new Set<Socket>()
  let turn = 0

  function pass(client: Socket, tries: number): void {
    const target = targets[turn++ % targets.length]
    if (!target || tries === 0) return void client.destroy()
    const server = connect({ host: target.hostname, port: Number(target.port) })
    const refused = () => pass(client, tries - 1)
    server.once('error', refused)
    server.once('connect', () => {
      server.off('error', refused)
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const) {
        one.on('error', () => other.destroy())
        one.on('close', () => other.destroy())
        one.pipe(other)
      }
    })
  }

  const listener = createServer({ pauseOnConnect: true, noDelay: true }, (client) => {
    open.add(client)
    client.once('close', () => open.delete(client))
    // Somebody who goes before an instance has taken him leaves nothing behind.
    client.on('error', () => client.destroy())
    pass(client, targets.length)
  })
  const port = await boundPort(listener)
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      listener.close()
      for (const socket of open) socket.destroy()
    },
  }
}
