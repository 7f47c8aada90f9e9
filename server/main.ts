import { existsSync } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type next from 'next'
import type { App } from './app'
import { installApp } from './app'
import { createLog, type Log, logConsole } from './base/log'
import { createApp } from './boot/app'
import { createPages } from './boot/pages'
import { startWarmUp, type WarmUp } from './boot/warm-up/warm-up'
import { endpoints } from './endpoints'
import { announceOrigin, announcePages, type Env, loadEnvFile, readEnv } from './env/env'
import { type BrowserPolicy, browserPolicy } from './http/browser-policy'
import type { Render } from './http/captured-response'
import { type PageTable, pageTable } from './http/page-table'
import type { RequestLine } from './http/request-context'
import { requestLog } from './http/request-context'
import { routesOf } from './http/route-table'
import { createHttpServer, type HttpServer } from './http/server'
import { whyNotStarted } from './operations/start-failure'
import { trpc } from './trpc/handler'
import { installProcedures } from './trpc/in-process'

const ROOT = path.join(import.meta.dirname, '..')
/** What a build made of the pages: Next, with no more of it and of other packages than the pages need. */
const PAGES = path.join(ROOT, '.next', 'standalone')
/** The files for browsers, which a build puts there last. */
const BROWSER_FILES = path.join(PAGES, '.next', 'static')

// Running settles answer within their deadline, 20 s by default; later ones are cut off before the platform kills the process.
const DRAIN_MS = 22_000
const EXIT_MS = 25_000

/** The major version that the image has. */
const ADVISED_NODE = 24

const READY_POLL_MS = 50
const FIRST_COMPLAINT_MS = 10_000
const COMPLAINT_MS = 60_000

/** Starts the service: App, Next, HTTP server. Throws when a part fails. */
async function start(env: Env, log: Log, pagesLater: boolean): Promise<() => Promise<void>> {
  const dev = env.NODE_ENV === 'development'
  const app = await createApp(env, log)
  installApp(app)
  installProcedures((request) => trpc.handle(app, request))
  announceOrigin(app.config.baseUrl)

  // Next listens for upgrades on its server. This one never opens, so Next only gets what our server passes on.
  const upgrades = createServer()
  const options = {
    dev,
    dir: dev ? ROOT : PAGES,
    hostname: new URL(app.config.baseUrl).hostname,
    port: env.PORT,
    httpServer: upgrades,
  }
  if (!dev && !pagesLater && !existsSync(BROWSER_FILES)) throw new Error('there is no production build')
  const next = nextOf(options, log)
  // In development the first compilation takes long.
  if (dev) await next.load()
  // Early, because loading them in the middle of payments would hold those up.
  else if (!pagesLater)
    next.load().catch((error: unknown) => log.error({ err: error }, 'the pages cannot be shown; the API goes on'))

  const policy = policyOf(app.config, dev)
  const httpServer = createHttpServer({
    routes: routesOf(endpoints),
    fallback: next.show,
    ...(dev ? {} : { pages: createPages(app, next, policy) }),
    ...(dev ? { upgrade: (req, socket, head) => upgrades.emit('upgrade', req, socket, head) || socket.destroy() } : {}),
    policy,
    trustedProxyHops: env.TRUSTED_PROXY_HOPS,
    log: toAll(requestLog(log), app.telemetry.answered),
    around: app.telemetry.around,
    accepting: app.accepting,
    onTrouble: (error) => log.warn({ err: error }, 'new connections cannot be accepted as usual'),
  })
  const { port } = await httpServer.listen(env.PORT).catch(async (error) => {
    await app.close()
    throw error
  })
  log.info({ port, origin: new URL(app.config.baseUrl).origin }, 'listening')
  if (Number.parseInt(process.versions.node, 10) < ADVISED_NODE)
    log.info({ node: process.versions.node }, `Node ${ADVISED_NODE} answers more requests a second`)
  const warmUp = logReadiness(app).then((ready) => (ready && !dev ? warmUpNow(app, httpServer) : null))

  return async () => {
    app.beginStop()
    void warmUp.then((running) => running?.stop())
    await Promise.race([httpServer.drain(), delay(DRAIN_MS, undefined, { ref: false })])
    httpServer.server.closeAllConnections()
    await app.close()
    await next.close()
  }
}

function policyOf({ baseUrl, playgroundUrl, walletConnectProjectId }: App['config'], development: boolean): BrowserPolicy {
  return browserPolicy({ baseUrl, playgroundUrl, walletConnect: walletConnectProjectId !== null, development })
}

// Lanes get their leases some seconds after the start. Neither this nor readiness ever throws.
// Resolves with false when the process stops first.
async function logReadiness({ readiness, accepting, log }: App): Promise<boolean> {
  const began = performance.now()
  let complainAtMs = FIRST_COMPLAINT_MS
  while (accepting()) {
    const { ready, parts } = await readiness()
    const ms = Math.round(performance.now() - began)
    if (ready) {
      log.info({ ms }, 'ready')
      return true
    }
    if (ms >= complainAtMs) {
      const missing = parts.filter((part) => part.required && !part.ready).map(({ part, message }) => `${part}: ${message}`)
      log.warn({ ms, missing }, 'not ready: the service refuses payments')
      complainAtMs = ms + COMPLAINT_MS
    }
    await delay(READY_POLL_MS, undefined, { ref: false })
  }
  return false
}

/** Compiles the code of payments while no request waits. Without it the service works as well, only slower at first. */
function warmUpNow(app: App, { running }: HttpServer): WarmUp {
  const began = performance.now()
  const warmUp = startWarmUp({ app, isBusy: () => running() > 0 })
  warmUp.done.then(
    (payments) => app.log.info({ payments, ms: Math.round(performance.now() - began) }, 'warm'),
    (error: unknown) => {
      // The database closes during a stop.
      if (app.accepting()) app.log.warn({ err: error }, 'the code of payments could not be warmed up')
    },
  )
  return warmUp
}

const toAll =
  (...listeners: ((line: RequestLine) => void)[]) =>
  (line: RequestLine) => {
    for (const listener of listeners) listener(line)
  }

type Next = {
  load: () => Promise<unknown>
  show: Render
  /** The paths of the build; null while it cannot load. */
  table: () => Promise<PageTable | null>
  close: () => Promise<void>
}

type LoadedNext = { show: Render; table: PageTable | null; close: () => Promise<void> }

/** Next. While it cannot load, pages are a 503, and the API goes on. */
function nextOf(options: Parameters<typeof next>[0], log: Log): Next {
  let loading: Promise<LoadedNext> | undefined
  // The pages may be built later: after a failure the next page tries again.
  const load = () => {
    loading ??= loadNext(options).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  const loaded = () =>
    load().catch((error: unknown) => {
      log.error({ err: error }, 'the pages cannot be shown; the API goes on')
      return null
    })
  return {
    load,
    show: async (req, res) => ((await loaded())?.show ?? withoutPages)(req, res),
    table: async () => (await loaded())?.table ?? null,
    close: async () => (await loading?.catch(() => undefined))?.close(),
  }
}

async function loadNext(options: Parameters<typeof next>[0]): Promise<LoadedNext> {
  const { create, table } = options.dev ? { create: (await import('next')).default, table: null } : await builtPages()
  const pages = create(options)
  await pages.prepare()
  return { show: pages.getRequestHandler(), table, close: () => pages.close() }
}

/** The build's own copy of Next, and the paths of its pages. */
async function builtPages(): Promise<{ create: typeof next; table: PageTable }> {
  await access(BROWSER_FILES)
  const made = async (file: string) => JSON.parse(await readFile(path.join(PAGES, '.next', file), 'utf8'))
  announcePages((await made('required-server-files.json')).config)
  const requireFromPages = createRequire(path.join(PAGES, 'package.json'))
  return { create: requireFromPages('next'), table: pageTable(await made('app-path-routes-manifest.json')) }
}

async function withoutPages(_req: IncomingMessage, res: ServerResponse): Promise<void> {
  res.writeHead(503, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '5' })
  res.end('The pages cannot be shown yet; the API is up. Try again in a few seconds.\n')
}

/** Stops in order at the first signal and at once at the second. */
function stopOnSignal(stop: () => Promise<void>, log: Log): void {
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, async () => {
      if (stopping) process.exit(1)
      stopping = true
      log.info({ signal }, 'stopping')
      setTimeout(() => process.exit(1), EXIT_MS).unref()
      await stop()
      process.exit(0)
    })
  }
}

function dieOnBugs(log: Log): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, event)
      process.exit(1)
    })
  }
}

function environment(): Env {
  try {
    loadEnvFile()
    return readEnv()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}

const env = environment()
const log = createLog(env.LOG_LEVEL)
dieOnBugs(log)
// Developers read the console; elsewhere programs read the log, and every line is JSON.
if (env.NODE_ENV !== 'development') logConsole(log)
try {
  stopOnSignal(await start(env, log, process.argv.includes('--pages-later')), log)
} catch (error) {
  process.stderr.write(`${whyNotStarted(error, env.PORT)}\n`)
  log.debug({ err: error }, 'the service cannot start')
  process.exit(1)
}
