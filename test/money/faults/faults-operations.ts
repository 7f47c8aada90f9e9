import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { startRpcProxy } from '../../support/nodes/faulty-node'
import { startAgentRegistry } from '../../support/service/agent-registry'
import { startIssuer } from '../../support/service/issuer'
import { type Misbehaviour, startKyt } from '../../support/service/kyt'
import type { ServiceProcess } from '../../support/service/process'
import type { Deployment, Operation } from './deployment'

const waits = async ({ lasts, sleep }: Deployment) => {
  while (lasts()) await sleep(500)
}

const CLOCK = pathToFileURL(path.join(import.meta.dirname, 'skewed-clock.mjs')).href

/** Two instances with skewed clocks. */
const clocks = (what: string, skews: readonly [first: Record<string, string>, second: Record<string, string>]): Operation => ({
  id: 'D6',
  what,
  tier: 'sandbox',
  prepare: async () => ({ variables: (at) => ({ NODE_OPTIONS: `--import ${CLOCK}`, ...skews[at] }), happen: waits }),
})

/** A screening service that alternates between this misbehaviour and normal answers. */
const screening = (how: Misbehaviour, forMs: number, thenMs: number): Operation => ({
  id: 'D7',
  what: `screening that ${how === 'html garbage' ? 'answers garbage' : `has "${how}"`}, ${forMs / 1_000} s of ${(forMs + thenMs) / 1_000}`,
  tier: 'sandbox',
  async prepare() {
    const kyt = await startKyt()
    return {
      variables: () => ({ KYT_URL: kyt.url }),
      async happen({ lasts, sleep }) {
        while (lasts()) {
          kyt.misbehave(how)
          await sleep(forMs)
          kyt.misbehave(null)
          await sleep(thenMs)
        }
      },
      async offences({ setup: { database } }) {
        const sent = await database.db.settlement.findMany({ where: { slotId: { not: null } }, select: { payer: true } })
        return sent.filter(({ payer }) => !kyt.cleared.has(payer)).map(({ payer }) => `${payer} was sent for and never screened`)
      },
      close: kyt.close,
    }
  },
})

/** Opens idle connections and connections with endless requests, and reopens closed ones. */
function crowd(services: readonly ServiceProcess[], idle: number, slow: number): { leave: () => void } {
  const sockets = new Set<Socket>()
  let open = true
  function enter(url: string, words: string): void {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('connect', () => socket.write(words))
    const dripping = words === '' ? undefined : setInterval(() => socket.write('x-more: 1\r\n'), 1_000)
    socket.resume().once('close', () => {
      clearInterval(dripping)
      sockets.delete(socket)
      if (open) enter(url, words)
    })
  }
  for (const { url } of services) {
    for (let one = 0; one < idle / services.length; one++) enter(url, '')
    for (let one = 0; one < slow / services.length; one++) enter(url, 'POST /sandbox/settle HTTP/1.1\r\nHost: slow.test\r\n')
  }
  return {
    leave() {
      open = false
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Faults of clocks, connections and the services other than chains. */
export const ofSurroundings: readonly Operation[] = [
  {
    id: 'D5',
    what: '500 connections idle and 200 that never end a request',
    tier: 'sandbox',
    prepare: async () => ({
      async happen(deployment) {
        const { leave } = crowd(deployment.services, 500, 200)
        await waits(deployment)
        leave()
      },
    }),
  },
  clocks('one clock two minutes fast, the other two minutes slow', [{ CLOCK_SKEW_S: '120' }, { CLOCK_SKEW_S: '-120' }]),
  clocks('a clock that goes an hour ahead for 5 s, and another that goes back', [
    { CLOCK_SKEW_S: '3600', CLOCK_SKEW_FROM_S: '12', CLOCK_SKEW_FOR_S: '5' },
    { CLOCK_SKEW_S: '-3600', CLOCK_SKEW_FROM_S: '15', CLOCK_SKEW_FOR_S: '5' },
  ]),
  screening('hangs before headers', 8_000, 2_000),
  screening('status 500', 8_000, 2_000),
  screening('html garbage', 8_000, 2_000),
  screening('closes the socket', 2_000, 2_000),
  {
    id: 'D8',
    what: 'the flash endpoint 10 s away, 10 s back',
    tier: 'flash',
    async prepare({ env }) {
      const proxy = await startRpcProxy(env.BASE_SEPOLIA_FLASH_RPC_URL ?? '')
      return {
        variables: () => ({ BASE_SEPOLIA_FLASH_RPC_URL: proxy.url }),
        async happen({ lasts, sleep }) {
          while (lasts()) {
            proxy.receive(() => 'cut')
            await sleep(10_000)
            proxy.calm()
            await sleep(10_000)
          }
        },
        close: proxy.close,
      }
    },
  },
  {
    id: 'D9',
    what: 'the identity provider and the agent registry never answering',
    tier: 'sandbox',
    async prepare() {
      const [issuer, registry] = await Promise.all([startIssuer(), startAgentRegistry()])
      const authorization = `Bearer ${await issuer.token({ exp: Math.floor(Date.now() / 1_000) + 3_600 })}`
      const refused: string[] = []
      const read = async ({ url }: ServiceProcess) => {
        const { status } = await fetch(`${url}/api/me/history`, { headers: { authorization } })
        if (status !== 200) refused.push(`a merchant with a valid token got ${status}`)
      }
      return {
        variables: () => ({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'quittance', AGENT_REGISTRY_URL: registry.url }),
        async happen({ services, lasts, sleep }) {
          await Promise.all(services.map(read))
          issuer.answer({ hang: true })
          registry.misbehave('black hole')
          while (lasts()) {
            await Promise.all(services.map(read))
            await sleep(500)
          }
        },
        offences: () => refused,
        close: async () => void (await Promise.all([issuer.close(), registry.close()])),
      }
    },
  },
]
