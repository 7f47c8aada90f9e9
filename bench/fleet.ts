import { startBalancer } from './balancer'
import { type Child, startChild } from './child'

/** Instances that share a database, addressed as one. */
export type Fleet = Child & {
  /** Kills one of them as the machine's end would: no signal is heard, nothing is given up. */
  killOne: (at: number) => Promise<void>
}

/** Starts so many instances of ours with the same environment, one after the other, and a balancer before them. */
export async function startFleet(count: number, env: Record<string, string>): Promise<Fleet> {
  const children: Child[] = []
  while (children.length < count) children.push(await startChild({ ...env, FACILITATOR: 'ours' }))
  const [first] = children
  if (!first) throw new Error('a fleet needs an instance')
  const balancer = await startBalancer(children.map(({ url }) => new URL(url).origin))
  const gone = new Set<Child>()
  const alive = () => children.filter((child) => !gone.has(child))
  return {
    // The key is a row of the database that all of them read.
    url: `${balancer.url}${new URL(first.url).pathname}`,
    async usage() {
      const all = await Promise.all(alive().map((child) => child.usage()))
      const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0)
      const most = (of: (one: (typeof all)[number]) => number) => Math.max(...all.map(of))
      return {
        cpu: { user: sum(({ cpu }) => cpu.user), system: sum(({ cpu }) => cpu.system) },
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
