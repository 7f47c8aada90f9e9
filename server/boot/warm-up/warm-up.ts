import { setTimeout as delay } from 'node:timers/promises'
import { mintKey } from '../../accounts/keyring'
import { type App, route } from '../../app'
import { requestLog } from '../../http/request-context'
import { routesOf } from '../../http/route-table'
import { createHttpServer, type HttpServer } from '../../http/server'
import { settle, verify } from '../../payments/endpoints'
import { createMadeUpApp } from './app'
import { createMadeUpClients } from './client'
import { startMadeUpNode } from './node'
import { createMadeUpBodies } from './payments'

type WarmUpOptions = {
  app: App
  /** Whether requests wait: then nothing is done. */
  isBusy: () => boolean
  /** How many payments are made up. */
  payments?: number
}

export type WarmUp = {
  /** Resolves with the number of payments that went through. Rejects when one did not. */
  done: Promise<number>
  stop(): void
}

/** From about here on V8 has compiled what payments run through. */
const PAYMENTS = 3_000
/** Payments of the slices in turn: those that come together share calls of the node and statements. */
const TOGETHER = [1, 2, 4]
/** Of so many slices the last one settles. */
const SETTLES_ONE_IN = 4
/** After so many slices clients open new connections. */
const SLICES_OF_CONNECTION = 10
const BUSY_MS = 20
/** A slice is followed by as long a pause, so that another process on the same core goes on. */
const REST_MS = 1

/**
 * Runs verify and settle on made-up payments, so that their code is compiled before the first real one: from the HTTP request to the
 * answer, in slices of some milliseconds. It writes no row, calls no node, counts in no metric and logs nothing.
 */
export function startWarmUp({ app, isBusy, payments = PAYMENTS }: WarmUpOptions): WarmUp {
  let stopped = false
  return {
    done: run(),
    stop() {
      stopped = true
    },
  }

  async function run(): Promise<number> {
    const node = await startMadeUpNode()
    // Two, because V8 compiles for the parts of a single service alone, which the real one does not have.
    const services = await Promise.all([startMadeUpService(app, node.url), startMadeUpService(app, node.url)])
    try {
      return await slices(services.map(({ url }) => url))
    } finally {
      for (const { server } of services) {
        server.closeAllConnections()
        server.close()
      }
      node.close()
    }
  }

  async function slices(urls: readonly string[]): Promise<number> {
    const newBody = createMadeUpBodies()
    const clients = createMadeUpClients()
    let done = 0
    for (let slice = 1; done < payments && !stopped; slice++) {
      while (isBusy() && !stopped) await delay(BUSY_MS)
      if (stopped) break
      if (slice % SLICES_OF_CONNECTION === 0) clients.hangUp()
      const began = performance.now()
      const name = slice % SETTLES_ONE_IN === 0 ? 'settle' : 'verify'
      const url = `${inTurn(urls, slice >> 3)}/${name}`
      const length = Math.min(inTurn(TOGETHER, slice), payments - done)
      const answers = await Promise.all(Array.from({ length }, () => clients.post(url, newBody())))
      for (const answer of answers) requireSuccess(answer)
      done += answers.length
      await delay(REST_MS + performance.now() - began)
    }
    clients.hangUp()
    return done
  }
}

function inTurn<T>(items: readonly T[], turn: number): T {
  const item = items[turn % items.length]
  if (item === undefined) throw new Error('there is an item for each turn')
  return item
}

function requireSuccess(answer: string): void {
  const { isValid, success } = JSON.parse(answer)
  if (isValid !== true && success !== true) throw new Error(`a made-up payment was refused: ${answer}`)
}

/** Starts our HTTP server with verify and settle of a made-up App. It listens on this machine only, and one key opens it. */
export async function startMadeUpService(real: App, nodeUrl: string): Promise<{ server: HttpServer['server']; url: string }> {
  const { secret, hash: keyHash } = mintKey()
  const app = await createMadeUpApp(real, { nodeUrl, keyHash })
  const { server, listen } = createHttpServer({
    routes: routesOf(
      Object.entries({ verify, settle }).map(([name, { v1 }]) => ({
        ...v1,
        method: 'POST',
        path: `/v1/:key/${name}`,
        handler: route(v1, () => app),
      })),
    ),
    fallback: async () => {},
    trustedProxyHops: 0,
    accepting: () => true,
    log: requestLog(app.log),
    onTrouble() {},
  })
  // Addresses have the form that the real server gets, where the machine has IPv6.
  const { port } = await listen(0, '::ffff:127.0.0.1').catch(() => listen(0, '127.0.0.1'))
  return { server, url: `http://127.0.0.1:${port}/v1/${secret}` }
}
