import { fetchRequestHandler } from '@trpc/server/adapters/fetch'
import { ipSubject } from '../accounts/caller'
import { tooManyCalls } from '../accounts/rate-limit'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import { DEFAULT_BODY_LIMIT, readBytes } from '../http/bodies'
import { endpoint } from '../http/endpoint'
import { clientIp, requestId } from '../http/request'
import { accountId, type Principal, readerOf } from '../sign-in/principal'
import { principalOf } from '../sign-in/session-cookie'
import { ACCOUNT_HEADER } from './account-header'
import { type Context, failureFor } from './context'
import { root } from './router'

/** Calls of one address: a screen makes up to twenty at once, and a person has several tabs. */
const CALLS_PER_SECOND = 200
/** Calls per batched request; `components/client/calls.ts` sends no more. */
const CALLS_AT_ONCE = 10

/** The base path of all procedures. */
export const TRPC_PATH = '/api/trpc'

/** The procedures of the dashboard. */
export const trpc = endpoint({ unlisted: 'own pages', handler: ({ app, request }) => serveTrpc(app, request) })

// Refuses cross-site requests.
async function serveTrpc(app: App, request: Request): Promise<Response> {
  if (request.method === 'POST') requireOwnPage(app, request)
  const body = request.method === 'POST' ? await readBytes(request, DEFAULT_BODY_LIMIT) : null
  const { url, method, headers, signal } = request
  return fetchRequestHandler({
    endpoint: TRPC_PATH,
    // The router read the body already, within its limit.
    req: new Request(url, { method, headers, signal, ...(body ? { body: Buffer.from(body) } : {}) }),
    router: root,
    maxBatchSize: CALLS_AT_ONCE,
    createContext: ({ info }) => contextOf(app, request, info.calls.length),
    responseMeta: () => ({ headers: { 'cache-control': 'no-store', vary: 'cookie' } }),
  })
}

// A refusal thrown here reaches the page as a tRPC error.
async function contextOf(app: App, request: Request, calls: number): Promise<Context> {
  const ip = clientIp(request)
  try {
    const seconds = app.callRate({ ip, cookie: request.headers.get('cookie') }, calls)
    if (seconds > 0) throw tooManyCalls(seconds)
    await app.rateLimit(`trpc:${ipSubject(ip)}`, CALLS_PER_SECOND, calls)
    const principal = await principalOf(app, request)
    requireSameAccount(principal, request)
    return { app, ip, reader: readerOf(principal, ip), requestId: requestId(request), principal }
  } catch (error) {
    throw failureFor(error, { app, requestId: requestId(request), procedure: 'session' })
  }
}

// Another tab may have signed in as another account while a form was open here.
function requireSameAccount(principal: Principal | null, { headers }: Request): void {
  const account = headers.get(ACCOUNT_HEADER)
  if (account === null || principal === null || account === accountId(principal)) return
  throw new ServiceError('unauthorized', 'another account is signed in now; load the page again')
}

// The cookie is `SameSite=Lax`, which a sibling subdomain passes: only our own pages send JSON from our own origin.
function requireOwnPage({ config }: App, { headers }: Request): void {
  const origin = headers.get('origin')
  const json = headers.get('content-type')?.startsWith('application/json') ?? false
  if (json && origin === new URL(config.baseUrl).origin) return
  throw new ServiceError('forbidden', 'only the pages of this service can make changes')
}
