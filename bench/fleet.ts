import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { type Child, startChild } from './child'

/** Instances that share a database behind one URL. */
export type Fleet = Child & {
  /** Kills one instance at once: it gets no signal and releases nothing. */
  killOne: (at: number) => Promise<void>
}

/** Starts `count` instances of our service with one environment, in sequence, and a balancer before them. */
export async function startFleet(count: number, env: Record<string, string>): Promise<Fleet> {
  const children: Child[] = []
  while (children.length < count) children.push(await startChild({ ...env, FACILITATOR: 'ours' }))
  const [first] = children
  if (!first) throw new Error('a fleet needs an instance')
  const balancer = await startBalancer(children.map(({ urls }) => new URL(urls[0] ?? '').origin))
  const gone = new Set<Child>()
  const alive = () => children.filter((child) => !gone.has(child))
  return {
    pid: first.pid,
    // The API keys are in the database that they share.
    urls: first.urls.map((url) => `${balancer.url}${new URL(url).pathname}`),
    async usage() {
      const all = await Promise.all(alive().map((child) => child.usage()))
      const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0)
      const most = (of: (one: (typeof all)[number]) => number) => Math.max(...all.map(of))
      return {
        cpuMs: sum(({ cpuMs }) => cpuMs),
        memory: {
          rss: sum(({ memory }) => memory.rss),
          heapTotal: sum(({ memory }) => memory.heapTotal),
          heapUsed: sum(({ memory }) => memory.heapUsed),
          external: sum(({ memory }) => memory.external),
          arrayBuffers: sum(({ memory }) => memory.arrayBuffers),
        },
        delay: { p99: most(({ delay }) => delay.p99), max: most(({ delay }) => delay.max) },
        requests: sum(({ requests }) => requests),
        waiting: sum(({ waiting }) => waiting),
        calls: sum(({ calls }) => calls),
      }
    },
    profile: () => first.profile(),
    endProfile: () => first.endProfile(),
    async killOne(at) {
      const child = children[at]
      if (!child) throw new Error(`there is no instance ${at}`)
      gone.add(child)
      await child.stop()
    },
    async stop() {
      balancer.close()
      await Promise.all(alive().map((child) => child.stop()))
    },
  }
}

type Balancer = { url: string; close: () => void }

/** Passes each connection to the next origin in turn, and to the one after it when that refuses. */
async function startBalancer(origins: readonly string[]): Promise<Balancer> {
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
    // A client that leaves before an instance accepts leaves nothing open.
    client.on('error', () => client.destroy())
    pass(client, targets.length)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('the balancer listens on no port')
  const { port } = address
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      listener.close()
      for (const socket of open) socket.destroy()
    },
  }
}
