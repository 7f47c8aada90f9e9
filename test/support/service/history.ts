import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Prisma } from '../../../generated/prisma/client'
import { changeOwnTenant } from '../../../server/accounts/endpoints'
import type { KeyMaker } from '../../../server/accounts/own-keys'
import { type Owner, ofSubject } from '../../../server/accounts/tenant-queries'
import { changeAgentConfig } from '../../../server/agents/endpoints'
import { getAnalytics, getMerchantAnalytics } from '../../../server/analytics/endpoints'
import type { App } from '../../../server/app'
import { createApp, type RunningApp, type Seams } from '../../../server/boot/app'
import type { Db } from '../../../server/db/database'
import { readEnv } from '../../../server/env/env'
import { listAgentHistory, listHistory, listMerchantHistory, listPayerHistory } from '../../../server/history/endpoints'
import { type FreshDatabase, freshDatabase } from '../database/database'
import { newHash, newTenantOf } from '../database/ledger'
import { testLog } from '../logs'
import { documented } from './documented'
import { ADMIN_KEY } from './harness'
import type { Answer } from './surface'

/** A service without chains, for tests that only read. It closes when the test ends. */
export async function startReading(
  env: Record<string, string> = {},
  seams: Seams = {},
): Promise<{ app: RunningApp; database: FreshDatabase; close: () => Promise<void> }> {
  const database = await freshDatabase()
  const app = await createApp(readEnv({ NODE_ENV: 'test', DATABASE_URL: database.url, ADMIN_KEY, ...env }), testLog(), seams)
  return {
    app,
    database,
    close: async () => {
      await app.close()
      await database.close()
    },
  }
}

let owners = 0
/** A new owner id. */
export const newOwner = () => `reader-${++owners}`

/** A new merchant of the identity provider. */
export const newSubject = (): Owner => ofSubject(newOwner())

/** The tenant of an owner, created if missing. */
export async function tenantOf(
  db: Db,
  ownerId: string,
  ownerKind = 'oidc',
  data: { historyEnabled?: boolean } = {},
): Promise<string> {
  await db.owner.upsert({
    where: { kind_id: { kind: ownerKind, id: ownerId } },
    create: { kind: ownerKind, id: ownerId },
    update: {},
  })
  return newTenantOf(db, { ownerKind, ownerId, ...data })
}

type Row = Prisma.HistoryUncheckedCreateInput

/** A history row of a success on Base; fields can be overridden. */
export function newRow(overrides: Partial<Row> & Pick<Row, 'tenantId' | 'ownerId'>): Row {
  return {
    id: uuidv7(),
    ownerKind: 'oidc',
    payer: `0x${randomBytes(20).toString('hex')}`,
    payTo: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
    network: 'eip155:8453',
    resource: 'https://merchant.test/weather',
    plan: 'growth',
    amount: '1000',
    success: true,
    txHash: newHash(),
    ...overrides,
  }
}

/** A history page in the API's JSON. */
export type Page = { settlements: Record<string, unknown>[]; cursor: string; has_more: boolean }

let addresses = 0
/** An IP address that no rate limit counts yet. */
export const newIp = () => `172.16.${++addresses >> 8}.${addresses & 255}`

/** An owner that makes keys from an address that no rate limit counts yet. */
export const from = (owner: Owner): KeyMaker => ({ owner, ip: newIp() })

/** A request with the headers that the HTTP server adds; a new IP address if unset. */
export const asked = (
  path: string,
  init: { method?: string; body?: unknown; headers?: Record<string, string>; ip?: string; signal?: AbortSignal } = {},
) =>
  new Request(`http://quittance.test${path}`, {
    method: init.method ?? 'GET',
    headers: { 'x-quittance-client-ip': init.ip ?? newIp(), 'x-request-id': 'test', ...init.headers },
    signal: init.signal ?? null,
    ...(init.body === undefined ? {} : { body: typeof init.body === 'string' ? init.body : JSON.stringify(init.body) }),
  })

/** An endpoint's answer. Throws if `/openapi.json` does not know it. */
export async function documentedAnswer(what: string, handled: Promise<Response>): Promise<Answer> {
  const response = await handled
  return documented(what, { status: response.status, headers: response.headers, body: await response.json() })
}

/** The read routes, called with a credential. */
export function readersOf(app: App) {
  return {
    merchant: (id: string, query = '') =>
      documentedAnswer('GET /api/me/history', listMerchantHistory.handleAs(app, asked(`/${query}`), id)),
    payer: (wallet: string, query = '') =>
      documentedAnswer('GET /api/v1/history', listPayerHistory.handleAs(app, asked(`/${query}`), wallet)),
    agent: (wallet: string, query = '') =>
      documentedAnswer('GET /api/v1/agent/history', listAgentHistory.handleAs(app, asked(`/${query}`), wallet)),
    admin: (query = '', authorization = `Bearer ${ADMIN_KEY}`, ip = newIp()) =>
      documentedAnswer('GET /admin/history', listHistory.handle(app, asked(`/${query}`, { headers: { authorization }, ip }))),
    merchantAnalytics: (id: string, query = '') =>
      documentedAnswer('GET /api/me/analytics', getMerchantAnalytics.handleAs(app, asked(`/${query}`), id)),
    adminAnalytics: (query = '', authorization = `Bearer ${ADMIN_KEY}`) =>
      documentedAnswer('GET /admin/analytics', getAnalytics.handle(app, asked(`/${query}`, { headers: { authorization } }))),
    changeOwn: (id: string, tenantId: string, body?: unknown) =>
      documentedAnswer(
        'PATCH /api/me/tenants/:id',
        changeOwnTenant.handleAs(app, asked('/', { method: 'PATCH', body }), id, { id: tenantId }),
      ),
    changeAgent: (wallet: string, body?: unknown) =>
      documentedAnswer(
        'PATCH /api/v1/agent/config',
        changeAgentConfig.handleAs(app, asked('/', { method: 'PATCH', body }), wallet),
      ),
  }
}

/** The page of a 200 answer. Throws for any other answer. */
export function pageOf({ status, body }: Answer): Page {
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body as Page
}

/** The transactions of a page. */
export const hashesOf = ({ settlements }: Page) => settlements.map(({ tx_hash }) => tx_hash)
