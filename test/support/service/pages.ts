import type { IncomingMessage, ServerResponse } from 'node:http'
import { createPageRate } from '../../../server/accounts/page-rate'
import { createReadSlots } from '../../../server/base/read-slots'
import { createTokenBuckets } from '../../../server/base/token-buckets'
import { browserPolicy } from '../../../server/http/browser-policy'
import { pageTable } from '../../../server/http/page-table'
import { documentRenderer, type Pages } from '../../../server/http/pages'
import { NONCE_HEADER } from '../../../server/http/request'
import { createSharedDocuments } from '../../../server/http/shared-documents'
import { type OpenServer, openServer, request } from './http-server'

const POLICY = browserPolicy({
  baseUrl: 'http://localhost',
  playgroundUrl: null,
  walletConnect: false,
  development: false,
})

/** The paths of a small build: pages for everyone, pages of each visitor, and files. */
const BUILD = {
  '/home/page': '/home',
  '/docs/page': '/docs',
  '/docs/[page]/page': '/docs/[page]',
  '/docs/[page]/[...rest]/page': '/docs/[page]/[...rest]',
  '/(app)/payments/[id]/page': '/payments/[id]',
  '/_not-found/page': '/_not-found',
}
const ALIKE = ['/home', '/docs', '/docs/errors']

export const SESSION_COOKIE = 'quittance.session'

/** What a fake Next renders: one line for each fact of the request, with the nonce in the head, the body and a header. */
export function rendered(req: IncomingMessage, res: ServerResponse): void {
  const nonce = String(req.headers[NONCE_HEADER])
  const { [NONCE_HEADER]: _, 'content-security-policy': __, 'x-request-id': ___, ...headers } = req.headers
  res.setHeader('link', `</font>; nonce="${nonce}"`)
  res.setHeader('content-type', 'text/html; charset=utf-8')
  res.end(
    `<script nonce="${nonce}"></script>${JSON.stringify({ method: req.method, url: req.url, headers })}<b nonce="${nonce}">`,
  )
}

type PagesServer = OpenServer & {
  /** The targets that the fake Next rendered. */
  renders: string[]
  /** Gets a target as a browser at this address does. */
  get: (target: string, headers?: Record<string, string>) => ReturnType<OpenServer['ask']>
}

/** Starts our HTTP server behind one proxy, over a fake Next that serves a small build. */
export async function openPages(
  render: (req: IncomingMessage, res: ServerResponse) => void | Promise<void> = rendered,
  changes: Partial<Pages> & { keptMs?: number } = {},
): Promise<PagesServer> {
  const renders: string[] = []
  const show = async (req: IncomingMessage, res: ServerResponse) => {
    renders.push(req.url ?? '')
    await render(req, res)
  }
  const { keptMs, ...others } = changes
  const table = pageTable(BUILD)
  const slots = createReadSlots({ what: 'pages', atOnce: 2, eachAtOnce: 2, waiting: 4, each: 3 })
  const pages: Pages = {
    table: async () => table,
    sharedAt: (path) => (ALIKE.includes(path) ? path : undefined),
    documents: createSharedDocuments(documentRenderer(show, POLICY), keptMs === undefined ? {} : { keptMs }),
    sessionCookie: SESSION_COOKIE,
    // Time stands still: no rate refills while a slow machine sends a flood.
    rate: createPageRate(createTokenBuckets({ now: () => 0 })),
    slots: { page: slots, documentation: slots },
    ...others,
  }
  const server = await openServer({ fallback: show, pages, policy: POLICY, trustedProxyHops: 1 })
  return {
    ...server,
    renders,
    get: (target, headers = {}) => server.ask(request(`GET ${target}`, { Accept: 'text/html', ...headers })),
  }
}
