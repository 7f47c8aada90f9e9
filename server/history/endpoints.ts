import type { z } from 'zod'
import { signedInRate } from '../accounts/caller'
import { ofSubject } from '../accounts/tenant-queries'
import type { App } from '../app'
import { endpoint } from '../http/endpoint'
import { clientIp } from '../http/request'
import { adminCredentials, merchantCredentials, walletCredentials } from '../sign-in/credentials'
import { readerOf } from '../sign-in/principal'
import { adminFilter, adminQuery, pageQuery, type Reader } from './filters'
import { pageOfHistory, readHistoryCursor, scopeOf, writeHistoryCursor } from './history'
import { wireEntry } from './present'
import type { HistoryFilter } from './queries'
import { historyPage } from './schemas'

const shared = {
  rate: signedInRate,
  responses: { 200: { description: 'A page.', schema: historyPage } },
  errors: [400, 401, 429, 503],
} as const

export const listMerchantHistory = endpoint({
  ...shared,
  id: 'listMerchantHistory',
  tag: 'History',
  summary: "List the settlements of a merchant's keys",
  description: 'Settlements of all keys of the merchant.',
  credentials: merchantCredentials('history:read'),
  errors: [...shared.errors, 403],
  query: pageQuery,
  handler: ({ app, request, who, query }) =>
    page(askedBy(app, request, { kind: 'merchant', id: who }), 'merchant', scopeOf.merchant(ofSubject(who)), query),
})

export const listPayerHistory = endpoint({
  ...shared,
  cors: 'open',
  id: 'listPayerHistory',
  tag: 'History',
  summary: 'List the payments of a wallet',
  description: 'Settlements whose payer is the signed-in wallet, sandbox included. `agents` is always absent.',
  credentials: walletCredentials,
  query: pageQuery,
  handler: ({ app, request, who, query }) => page(askedBy(app, request, { kind: 'wallet' }), 'payer', scopeOf.payer(who), query),
})

export const listAgentHistory = endpoint({
  ...shared,
  cors: 'open',
  id: 'listAgentHistory',
  tag: 'Agents',
  summary: "List the settlements of an agent's keys",
  description: 'Settlements of the keys that the wallet owns.',
  credentials: walletCredentials,
  query: pageQuery,
  handler: ({ app, request, who, query }) => page(askedBy(app, request, { kind: 'wallet' }), 'agent', scopeOf.agent(who), query),
})

export const listHistory = endpoint({
  ...shared,
  id: 'listHistory',
  tag: 'Admin',
  summary: 'List all settlements',
  description: 'Includes the sandbox. Settlements must match all given filters.',
  credentials: adminCredentials,
  query: adminQuery,
  handler: ({ app, request, query }) => page(askedBy(app, request, { kind: 'admin' }), 'admin', adminFilter(query), query),
})

/** A request with whose share of the slots it takes. */
const askedBy = (app: App, request: Request, who: Parameters<typeof readerOf>[0]) => ({
  app,
  reader: readerOf(who, clientIp(request)),
})

// A cursor is valid only for the same reader and filters.
async function page(asked: ReturnType<typeof askedBy>, reader: Reader, filter: HistoryFilter, query: z.output<typeof pageQuery>) {
  const { app } = asked
  const { limit, direction, cursor = '' } = query
  const list = JSON.stringify(['history', reader, filter])
  const from = cursor === '' ? null : readHistoryCursor(app, list, cursor)
  const found = await pageOfHistory(asked, reader, filter, { limit, direction, from })
  return {
    settlements: found.entries.map(wireEntry),
    cursor: found.cursor ? writeHistoryCursor(app, list, found.cursor) : cursor,
    has_more: found.hasMore,
  }
}
