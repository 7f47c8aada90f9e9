import { setTimeout as delay } from 'node:timers/promises'
import { mintKey } from '../../accounts/keyring'
import type { App } from '../../app'
import { openConnections } from '../../chains/connections'
import type { Unaddressed } from '../../http/endpoint'
import { requestLog } from '../../http/request-context'
import type { ApiRoute } from '../../http/route-table'
import { createHttpServer, type HttpServer } from '../../http/server'
import { settle, verify } from '../../payments/endpoints'
import { createMadeUpApp } from './app'
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
const PAYMENTS = 4_000
/** Payments of a slice: two share a call of the node, as payments of busy moments do. */
const TOGETHER = 2
/** Of so many slices the last one settles. */
const SETTLES_ONE_IN = 4
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
    try {
      const { server, url } = await startMadeUpService(app, node.url)
      return await slices(url).finally(() => {
        server.closeAllConnections()
        server.close()
      })
    } finally {
      node.close()
    }
  }

  async function slices(url: string): Promise<number> {
    const newBody = createMadeUpBodies()
    const post = { verify: openConnections(`${url}/verify`), settle: openConnections(`${url}/settle`) }
    let done = 0
    for (let slice = 1; done < payments && !stopped; slice++) {
      while (isBusy() && !stopped) await delay(BUSY_MS)
      if (stopped) break
      const began = performance.now()
      const route = slice % SETTLES_ONE_IN === 0 ? 'settle' : 'verify'
      const answers = await Promise.all(
        Array.from({ length: TOGETHER }, () => post[route]({ body: newBody(), bytesMax: 10_000 })),
      )
      for (const answer of answers) requireSuccess(answer)
      done += answers.length
      await delay(REST_MS + performance.now() - began)
    }
    return done
  }
}

function requireSuccess(answer: string): void {
  const { isValid, success } = JSON.parse(answer)
  if (isValid !== true && success !== true) throw new Error(`a made-up payment was refused: ${answer}`)
}

/** Starts our HTTP server with verify and settle of a made-up App. It listens on this machine only, and one key opens it. */
export async function startMadeUpService(real: App, nodeUrl: string): Promise<{ server: HttpServer['server']; url: string }> {
  const { secret } = mintKey()
  const app = await createMadeUpApp(real, { nodeUrl, secret })
  const { server, listen } = createHttpServer({
    routes: Object.entries({ verify, settle }).map(([name, { v1 }]) => routeTo(app, `/v1/:key/${name}`, v1)),
    fallback: async () => {},
    trustedProxyHops: 0,
    accepting: () => true,
    log: requestLog(app.log),
    onTrouble() {},
  })
  const { port } = await listen(0, '127.0.0.1')
  return { server, url: `http://127.0.0.1:${port}/v1/${secret}` }
}

function routeTo(app: App, pattern: string, { handle, bodyLimit, cors }: Unaddressed): ApiRoute {
  return { pattern, bodyLimit, cors, methods: { POST: async (request, { params }) => handle(app, request, await params) } }
}
