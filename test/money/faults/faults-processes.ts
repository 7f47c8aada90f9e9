import { type Fault, whileLasting } from './fault'

/** Faults of the instances, on any chain. */
export const ofProcesses: readonly Fault<unknown>[] = [
  {
    id: 'K10',
    what: 'kill -9 of either instance every 3 to 7 s',
    happen: ({ services, replace, sleep, lasts }) =>
      whileLasting({ lasts }, async () => {
        await sleep(3_000 + Math.random() * 4_000)
        const at = Math.random() < 0.5 ? 0 : 1
        await services[at]?.kill('SIGKILL')
        await replace(at)
      }),
  },
  {
    id: 'K11',
    what: 'kill -9 of both, 10 s down, started again',
    async happen({ services, replace, sleep, lasts }) {
      await sleep(5_000)
      await Promise.all(services.map((service) => service.kill('SIGKILL')))
      await sleep(10_000)
      await Promise.all([replace(0), replace(1)])
      await whileLasting({ lasts }, () => sleep(500))
    },
  },
  {
    id: 'D10',
    what: 'one instance stopped for longer than its lease, then going on',
    happen: ({ services: [first], sleep, lasts }) =>
      whileLasting({ lasts }, async () => {
        first?.pause()
        await sleep(8_000)
        first?.resume()
        await sleep(4_000)
      }),
  },
]
