import { ownershipsOf } from '../accounts/tenant-queries'
import type { Db } from '../db/database'
import { join, type Sql, sql } from '../db/sql'
import { networksIn } from '../x402/networks/networks'
import {
  above,
  below,
  COLUMNS,
  cursorOf,
  type HistoryCursor,
  type HistoryFilter,
  type HistoryRow,
  isBelow,
  isResource,
  LAST_ID,
  type PageRequest,
  type Position,
  readSafeWatermark,
  time,
} from './queries'

/** An amount of a token: digits of atomic units. */
type SearchedAmount = { amount: string; symbol: string }

/** What a text of a search finds: parts of resources, reason codes, amounts, and the beginnings of ids, addresses and transactions. */
type TextSearch = { part: string; reasons: readonly string[]; amounts: readonly SearchedAmount[]; beginning: string }

/** The filter of a list on a screen; all conditions must hold, and of each choice one. Times are milliseconds. */
export type ListFilter = HistoryFilter & {
  /** The first moment. */
  since?: number
  /** The first moment after it. */
  until?: number
  tenantIds?: readonly string[]
  networks?: readonly string[]
  payers?: readonly string[]
  payTos?: readonly string[]
  resources?: readonly string[]
  reasons?: readonly string[]
  /** The id of a row or of its settlement. */
  entry?: string
  text?: TextSearch
}

/** How many rows a page reads at most before it says how far it searched. */
export const SCANNED_MAX = 10_000

/** A page of rows. `searchedTo` is the time up to which it searched, if it stopped at `SCANNED_MAX` rows. */
type HistoryPage = { rows: HistoryRow[]; cursor: HistoryCursor | null; hasMore: boolean; searchedTo: Date | null }

type Found = HistoryRow & { snapshot: string; edgeAt: Date | null; edgeId: string | null }

/**
 * A page of history, newest first, with a cursor also when it is empty. Conditions with an index choose the rows; all others are checked on
 * at most `most` of these. So no combination of filters reads more, and a page that finds too few says where to continue. `most` null: a
 * page is full unless there are no more rows. Reading newer rows stops below any position where a row could still appear.
 */
export async function readPage(
  db: Db,
  filter: ListFilter,
  page: PageRequest,
  most: number | null = SCANNED_MAX,
): Promise<HistoryPage> {
  const watermark = page.direction === 'after' || page.from === null ? (await readSafeWatermark(db)).getTime() : null
  const found = await db.queryUnprepared<Found>(pageQuery(filter, page, watermark, most))
  const [first] = found
  const edge = first?.edgeAt && first.edgeId ? { at: first.edgeAt.getTime(), id: first.edgeId } : null
  const matched = found.filter(({ id }) => id !== null).map(({ edgeAt: _at, edgeId: _id, ...row }) => row)
  const rows = matched.slice(0, page.limit).map(({ snapshot: _, ...row }) => row)
  if (page.direction === 'after') rows.reverse()
  const cursor = cursorOf(rows, page, watermark, first?.snapshot ?? '')
  return {
    rows,
    cursor: edge ? cursorAt(edge, cursor, page, watermark) : (cursor ?? cursorOfNone(page, watermark)),
    hasMore: edge !== null || matched.length > page.limit,
    searchedTo: edge && new Date(edge.at),
  }
}

/** The statement for a page and one row more, in reading order, with the last row that was read if that ended the page. */
export function pageQuery(
  filter: ListFilter,
  page: PageRequest,
  watermark: number | null,
  most: number | null = SCANNED_MAX,
): Sql {
  const order = page.direction === 'after' ? sql`"createdAt", "id"` : sql`"createdAt" DESC, "id" DESC`
  const range = [...(page.direction === 'after' ? above(page.from, watermark) : below(page.from)), ...between(filter)]
  const plan = planOf(filter)
  const limit = page.limit + 1
  if (most === null || plan.match.length === 0) {
    return sql`
      SELECT ${COLUMNS}, pg_current_snapshot()::text AS "snapshot", NULL::timestamptz AS "edgeAt", NULL::uuid AS "edgeId"
      FROM (${scanned({ scans: wholeScansOf(filter) }, range, order, limit)}) rows ORDER BY ${order} LIMIT ${limit}`
  }
  // The edge is read only for a page that is not full; one statement, so that both see the same rows.
  return sql`
    WITH page AS MATERIALIZED (
      SELECT ${COLUMNS} FROM (${scanned(plan, range, order, most)}) rows WHERE ${join(plan.match, ' AND ')} ORDER BY ${order} LIMIT ${limit}
    ), edge AS (
      SELECT "createdAt" AS "edgeAt", "id" AS "edgeId" FROM (${scanned(plan, range, order, most)}) rows
      WHERE (SELECT count(*) FROM page) < ${limit} ORDER BY ${order} OFFSET ${most - 1} LIMIT 1
    )
    SELECT page.*, edge.*, pg_current_snapshot()::text AS "snapshot"
    FROM (SELECT 1) one LEFT JOIN edge ON true LEFT JOIN page ON true ORDER BY ${order}`
}

/** The rows that the indexes choose, in order and at most so many. One ordered index scan per alternative, because no index orders several. */
export function scanned({ scans }: Pick<Plan, 'scans'>, range: readonly Sql[], order: Sql, most: number): Sql {
  const each = scans.map((conditions) => {
    return sql`(SELECT * FROM "History" WHERE ${join([...conditions, ...range, sql`true`], ' AND ')} ORDER BY ${order} LIMIT ${most})`
  })
  return sql`SELECT * FROM (${join(each, ' UNION ALL ')}) found ORDER BY ${order} LIMIT ${most}`
}

/** The conditions of a range of time. */
export function between({ since, until }: Pick<ListFilter, 'since' | 'until'>): Sql[] {
  return [
    ...(since === undefined ? [] : [sql`"createdAt" >= ${time(since)}`]),
    ...(until === undefined ? [] : [sql`"createdAt" < ${time(until)}`]),
  ]
}

/** Scans that are each ordered in some index and find no row that another finds, and the conditions that are checked on what they find. */
export type Plan = { scans: Sql[][]; match: Sql[] }

/** How a filter is read: the most selective index chooses the rows. */
export function planOf(filter: ListFilter): Plan {
  const { by, scans } = scansOf(filter)
  const all: Record<string, Sql | null> = {
    ...paymentConditions(filter),
    owner: filter.owner ? sql`(${join(ownershipsOf(filter.owner, 'History'), ' OR ')})` : null,
    party: filter.party === undefined ? null : sql`("payer" = ${filter.party} OR "payTo" = ${filter.party})`,
    success: filter.success === undefined ? null : filter.success ? sql`"success"` : FAILED,
  }
  const rest = Object.entries(all).flatMap(([name, condition]) => (condition && !by.includes(name) ? [condition] : []))
  return { scans, match: [...rest, ...reasonIn(filter.reasons), ...holds(filter.text)] }
}

/** The conditions of a filter that a payment fulfils before its outcome is known, by their names; null where it has none. */
export function paymentConditions(filter: ListFilter) {
  const { tenantId, payer, txHash, network, environment, resource, symbol } = filter
  const { tenantIds, payers, payTos, networks, resources } = filter
  return {
    tenantId: tenantId === undefined ? null : sql`"tenantId" = ${tenantId}::uuid`,
    tenantIds: tenantIds === undefined ? null : sql`"tenantId" = ANY(${tenantIds}::uuid[])`,
    payer: payer === undefined ? null : sql`"payer" = ${payer}`,
    payers: payers === undefined ? null : sql`"payer" = ANY(${payers}::text[])`,
    payTos: payTos === undefined ? null : sql`"payTo" = ANY(${payTos}::text[])`,
    txHash: txHash === undefined ? null : sql`"txHash" = ${txHash}`,
    network: network === undefined ? null : sql`"network" = ${network}`,
    networks: networks === undefined ? null : sql`"network" = ANY(${networks}::text[])`,
    environment: environment === undefined ? null : sql`"network" = ANY(${networksIn(environment)}::text[])`,
    resource: resource === undefined ? null : isResource(resource),
    resources: resources === undefined ? null : sql`"resource" = ANY(${resources}::text[])`,
    symbol: symbol === undefined ? null : sql`"symbol" = ${symbol}`,
  }
}

/** The scans of a filter with all its conditions. A row matches when all conditions of one scan hold. */
export function wholeScansOf(filter: ListFilter): Sql[][] {
  const { scans, match } = planOf(filter)
  return scans.map((conditions) => [...conditions, ...match])
}

/** One row by its id or that of its settlement, if it matches this filter. */
export async function readEntry(db: Db, filter: HistoryFilter, id: string): Promise<HistoryRow | null> {
  const found = scanned({ scans: wholeScansOf({ ...filter, entry: id }) }, [], sql`"createdAt"`, 1)
  const [row] = await db.queryUnprepared<HistoryRow>`SELECT ${COLUMNS} FROM (${found}) found`
  return row ?? null
}

// A literal, because PostgreSQL does not match a parameter to a partial index.
const FAILED = sql`NOT "success"`

// `by` names the conditions that the scans fulfil. Of several choices each has a scan of its own.
function scansOf(filter: ListFilter): { by: readonly string[]; scans: Sql[][] } {
  const { owner, party, txHash, environment, entry } = filter
  const fails = filter.success === false || filter.reasons !== undefined
  const failed = fails ? [FAILED] : []
  const outcome = filter.success === false ? ['success'] : []
  if (entry !== undefined) {
    const byId = sql`"id" = ${entry}::uuid`
    return { by: [], scans: [[byId], [sql`"settlementId" = ${entry}::uuid`, sql`NOT ${byId}`]] }
  }
  if (txHash !== undefined) return { by: ['txHash'], scans: [[sql`"txHash" = ${txHash}`]] }
  if (party !== undefined) {
    const pays = sql`"payer" = ${party}`
    return { by: ['party'], scans: [[pays], [sql`"payTo" = ${party}`, sql`NOT ${pays}`]] }
  }
  const payers = choiceOf('payer', filter.payer, 'payers', filter.payers)
  if (payers) {
    return { by: [payers.name, ...outcome], scans: payers.values.map((payer) => [sql`"payer" = ${payer}`, ...failed]) }
  }
  const owners = owner ? ownershipsOf(owner, 'History') : []
  const resources = choiceOf('resource', filter.resource, 'resources', filter.resources)
  if (owner && resources) {
    const scans = owners.flatMap((its) => resources.values.map((resource) => [its, isResource(resource)]))
    return { by: ['owner', resources.name], scans }
  }
  const tenants = choiceOf('tenantId', filter.tenantId, 'tenantIds', filter.tenantIds)
  if (tenants) {
    return { by: [tenants.name, ...outcome], scans: tenants.values.map((id) => [sql`"tenantId" = ${id}::uuid`, ...failed]) }
  }
  if (!owner) return { by: outcome, scans: [failed] }
  if (fails) return { by: ['owner', ...outcome], scans: owners.map((its) => [its, FAILED]) }
  const places =
    choiceOf('network', filter.network, 'networks', filter.networks) ??
    (environment === undefined ? null : { name: 'environment', values: networksIn(environment) })
  if (places === null) return { by: ['owner'], scans: owners.map((its) => [its]) }
  const scans = owners.flatMap((its) => places.values.map((place) => [its, sql`"network" = ${place}`]))
  return { by: ['owner', places.name], scans }
}

/** The one value of a condition, or the several of another, by its name. Null without either. */
function choiceOf(one: string, value: string | undefined, several: string, values: readonly string[] | undefined) {
  if (value !== undefined) return { name: one, values: [value] }
  return values === undefined ? null : { name: several, values: padded([...new Set(values)]) }
}

// Each number of scans is a statement of its own, so there are few numbers: nothing equals null.
function padded(values: readonly string[]): (string | null)[] {
  const full = 2 ** Math.ceil(Math.log2(Math.max(1, values.length)))
  return [...values, ...Array<null>(full - values.length).fill(null)]
}

/** The reason of a failure. One without a reason has the reason `unknown` on screens. */
export const REASON = sql`COALESCE(NULLIF("errorReason", ''), 'unknown')`

function reasonIn(reasons: readonly string[] | undefined): Sql[] {
  if (reasons === undefined) return []
  return [sql`NOT "success" AND ${REASON} = ANY(${reasons}::text[])`]
}

/** The longest text that is looked for anywhere in another, and how much of that is read. */
const PART_MAX = 200
const READ_CHARACTERS = 1_024

/**
 * The condition that a text contains a part, in either case. PostgreSQL compares up to the product of both lengths, for each of thousands of
 * rows, and strangers choose both: so it reads the beginning of a long text, and a long part must be the beginning.
 */
export function contains(text: Sql, part: string): Sql {
  if (part.length > PART_MAX) return sql`starts_with(lower(${text}), lower(${part}::text))`
  return sql`position(lower(${part}::text) IN lower(left(${text}, ${READ_CHARACTERS}))) > 0`
}

function holds(text: TextSearch | undefined): Sql[] {
  if (!text) return []
  const { part, reasons, amounts, beginning } = text
  const id = beginning.toLowerCase()
  const ofAmount = amounts.map(({ amount, symbol }) => sql`("amount" = ${amount}::numeric AND "symbol" = ${symbol}) OR`)
  return [
    sql`(${join(ofAmount, ' ')} ${contains(sql`"resource"`, part)} OR (NOT "success" AND (${REASON} = ANY(${reasons}::text[]) OR ${contains(sql`"errorReason"`, part)}))
      OR starts_with("txHash", ${beginning}) OR starts_with("payer", ${beginning}) OR starts_with("payTo", ${beginning})
      OR starts_with("id"::text, ${id}) OR starts_with("settlementId"::text, ${id}))`,
  ]
}

// The page ended at the edge, or at its oldest row if that is older.
function cursorAt(edge: Position, shown: HistoryCursor | null, page: PageRequest, watermark: number | null): HistoryCursor {
  const from = shown ?? cursorOfNone(page, watermark)
  if (page.direction === 'before') return { ...from, oldest: edge }
  return { ...from, above: edge, seen: from.seen && isBelow(edge, from.seen.upTo) ? from.seen : null }
}

// Rows above it are new: all up to the watermark were there to be read.
function cursorOfNone({ from, direction }: PageRequest, watermark: number | null): HistoryCursor {
  if (from) return from
  const none = { at: 0, id: LAST_ID }
  return { oldest: none, above: direction === 'before' ? { at: watermark ?? 0, id: LAST_ID } : none, seen: null }
}
