import type { z } from 'zod'
import { keyNameAmong } from '../accounts/key-name'
import { displayOwner } from '../accounts/present'
import { tenantNames } from '../accounts/tenant-queries'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import type { Db } from '../db/database'
import { readSigned, seal } from '../http/page'
import { readPlace } from '../ledger/statements/finality'
import { findLink, receiptUrl } from '../ledger/statements/receipt-links'
import { displayAddress } from '../x402/addresses'
import { addressNamed } from '../x402/networks/assets'
import { networkTitle } from '../x402/networks/networks'
import { reasonGroups, reasonTitle } from '../x402/reasons/titles'
import { type AmountCursor, readByAmount } from './amount-queries'
import { filterOf, type listFilter, type listPage, type Reader } from './filters'
import { readHistoryCursor, withAgents, writeHistoryCursor } from './history'
import { type ListFilter, readEntry, readPage, SCANNED_MAX } from './list-queries'
import { readPending, readPendingOne } from './pending-queries'
import { type HistoryEntry, type Insight, presentPending, presentShown, WITHOUT_REASON } from './present'
import type { HistoryCursor, HistoryFilter, HistoryRow, PageRequest } from './queries'
import { type ChoiceName, COUNTED_MAX, readValues, type Value } from './tally-queries'

type Input = z.output<typeof listPage>

/** What asks for a list: the App, and whose share of the slots it takes. */
type Asked = { app: App; reader: string }

/** The rows of a page, its cursor as text, and how far it searched or sorted if that was not all. */
type ReadPage = { rows: HistoryRow[]; cursor: string | null; hasMore: boolean; limitedTo: Date | null }

/**
 * A page of a reader's list on a screen, in its order. Its cursors are valid only for the same reader, filters and order. `limitedTo`: the
 * time up to which the page searched or sorted before it had read `mostRead` settlements.
 */
export async function listSettlements(asked: Asked, reader: Reader, scope: HistoryFilter, input: Input) {
  const { app } = asked
  const filter = { ...filterOf(reader, input), ...scope }
  const list = JSON.stringify(['dashboard', reader, filter, input.sort])
  const byTime = input.sort === 'newest' || input.sort === 'oldest'
  const { rows, cursor, hasMore, limitedTo } = await (byTime ? pageByTime : pageByAmount)(asked, list, filter, input)
  return {
    settlements: await shown(app, reader, await withAgents(app, reader, rows)),
    cursor: cursor ?? input.cursor ?? null,
    hasMore,
    limitedTo: limitedTo?.toISOString() ?? null,
    mostRead: SCANNED_MAX,
  }
}

/** The most payments without an outcome that a screen shows. */
const PENDING_MAX = 10

/**
 * The newest payments without an outcome that a reader's list would have. Their answer was `settlement_pending`, or no request waited. `more`
 * says that there are others.
 */
export async function listPending(asked: Asked, reader: Reader, scope: HistoryFilter, input: z.output<typeof listFilter>) {
  const { app } = asked
  const filter = { ...filterOf(reader, input), ...scope }
  const rows = await app.lists(asked.reader, (db) => readPending(db, filter, PENDING_MAX + 1))
  const insight = await insights(app, reader, rows)
  const payments = rows.slice(0, PENDING_MAX).map((row) => presentPending({ ...row, agents: [] }, insight(row)))
  return { payments, more: rows.length > PENDING_MAX }
}

/**
 * The values of a choice that occur in a reader's list, the most frequent first, each with its count. The choice's own filter does not count,
 * and only failures have reasons. `others`: there are more values. `counted`: how many of the newest settlements were counted, if not all.
 */
export async function listChoices(
  asked: Asked,
  reader: Reader,
  scope: HistoryFilter,
  { of, find, ...input }: z.output<typeof listFilter> & { of: ChoiceName; find: string },
) {
  const { app } = asked
  const own = filterOf(reader, { ...input, [of]: undefined })
  const filter = { ...own, ...(of === 'reason' ? { success: false } : {}), ...scope }
  const part = find.trim() === '' ? null : find.trim()
  const { values, others, more } = await app.lists(asked.reader, (db) => readValues(db, filter, of, part))
  return { options: await OPTIONS[of](values, app, reader), others, counted: more ? COUNTED_MAX : null }
}

/** What a choice offers: its values, and what people call them. */
type Option = { values: string[]; name: string; count: number }

type Named = (values: Value[], app: App, reader: Reader) => Promise<Option[]> | Option[]

const named =
  (nameOf: (value: string) => string): Named =>
  (values) =>
    values.map(({ value, count }) => ({ values: [value], name: nameOf(value), count }))

const addresses: Named = (values) =>
  values.map(({ value, count }) => ({ values: [displayAddress(value)], name: displayAddress(value), count }))

const OPTIONS: Record<ChoiceName, Named> = {
  network: named(networkTitle),
  resource: named((url) => url),
  payer: addresses,
  recipient: addresses,
  // Codes with one title are one choice: people know the title.
  reason: (values) =>
    [...new Set(values.map(({ value }) => reasonTitle(value)))].map((title) => ({
      values: codesOf(title),
      name: title,
      count: values.reduce((sum, { value, count }) => sum + (reasonTitle(value) === title ? count : 0), 0),
    })),
  key: async (values, { db }, reader) => {
    const ids = values.map(({ value }) => value)
    const names = reader === 'payer' ? new Map<string, string>() : await tenantNames(db, ids)
    return values.map(({ value, count }) => ({
      values: [value],
      name: keyNameAmong({ id: value, name: names.get(value) ?? '' }),
      count,
    }))
  },
}

const codesOf = (title: string) => [...(reasonGroups.find((group) => group.title === title)?.codes ?? [title])]

async function pageByTime({ app, reader }: Asked, list: string, filter: ListFilter, input: Input): Promise<ReadPage> {
  const oldestFirst = input.sort === 'oldest'
  const newer = oldestFirst || input.direction === 'after' || input.direction === 'backward'
  const from = input.cursor ? readHistoryCursor(app, list, input.cursor) : null
  const asked = { direction: newer ? 'after' : 'before', from, limit: input.limit } as const
  const page = await app.lists(reader, (db) => readPage(db, filter, asked))
  return {
    rows: oldestFirst ? page.rows.toReversed() : page.rows,
    cursor: page.cursor && writeHistoryCursor(app, list, page.cursor),
    hasMore: page.hasMore,
    limitedTo: page.searchedTo,
  }
}

async function pageByAmount(
  { app, reader }: Asked,
  list: string,
  filter: ListFilter,
  { sort, cursor, limit }: Input,
): Promise<ReadPage> {
  // Only this function makes a value with a valid signature for a list by amount.
  const from = cursor ? (readSigned(app.config.cursorKey, list, cursor) as AmountCursor) : null
  const asked = { order: sort === 'largest' ? 'largest' : 'smallest', from, limit } as const
  const page = await app.lists(reader, (db) => readByAmount(db, filter, asked))
  return {
    rows: page.rows,
    cursor: page.cursor && seal(app.config.cursorKey, list, page.cursor),
    hasMore: page.hasMore,
    limitedTo: page.sortedTo,
  }
}

/** These entries as a reader sees them on a screen. */
export async function shown(app: App, reader: Reader, entries: HistoryEntry[]) {
  const insight = await insights(app, reader, entries)
  return entries.map((entry) => presentShown(entry, insight(entry)))
}

/** What this reader sees of each entry: key names for all but payers, owners for administrators. */
async function insights(
  { db }: Pick<App, 'db'>,
  reader: Reader,
  entries: readonly HistoryRow[],
): Promise<(entry: HistoryRow) => Insight> {
  const tenants = reader === 'payer' ? [] : [...new Set(entries.map(({ tenantId }) => tenantId))]
  const names = tenants.length === 0 ? new Map<string, string>() : await tenantNames(db, tenants)
  return ({ tenantId, ownerKind, ownerId }) => ({
    keyName: names.get(tenantId) ?? '',
    owner: reader === 'admin' ? { kind: ownerKind, id: displayOwner(ownerKind, ownerId) } : null,
  })
}

/** The share of the slots that all files take: they have slots of their own (`ExportSlots`). */
const FILES = 'files'
/** A long file takes hundreds of pages. */
const FREE = 0

/** A page of a reader's list for a file, newest first. */
export async function pageForFile(app: App, reader: Reader, filter: ListFilter, page: PageRequest) {
  const { rows, cursor, hasMore } = await app.lists(FILES, (db) => readPage(db, filter, page), FREE)
  const entries = await withAgents(app, reader, rows)
  return { entries, insight: await insights(app, reader, entries), cursor: cursor satisfies HistoryCursor | null, hasMore }
}

/** The details of one settlement that a reader may see, also of a pending one, for a screen. The id is that of its row or of the settlement. */
export async function detailsOf(app: App, reader: Reader, scope: HistoryFilter, id: string) {
  const ended = await readEntry(app.db, scope, id)
  const row = ended ?? (await readPendingOne(app.db, scope, id))
  if (!row) throw new ServiceError('not_found', 'you have no settlement with this id')
  const [entry] = await shown(app, reader, await withAgents(app, reader, [row]))
  if (!entry) throw new Error('a row was not shown')
  const { steps, secondAt, ...timeline } = await findTimeline(app.db, row)
  const { settlementId } = row
  const place = settlementId === null ? null : await readPlace(app.db, settlementId)
  const facts = settlementId !== null && place !== null ? { ...row, ...place, id: settlementId } : null
  const reversed = timeline.state === 'REVERSED'
  const reachedAt = steps.at(-1)?.at ?? row.createdAt
  const link = settlementId === null ? null : await findLink(app.db, settlementId)
  return {
    ...entry,
    ...(ended ? {} : WITHOUT_REASON),
    pending: ended === null,
    ...timeline,
    steps: steps.map(({ to, at }) => ({ to, at: at.toISOString() })),
    /** When a second payment was first refused because of this one. */
    secondAt: secondAt?.toISOString() ?? null,
    logIndex: place?.logIndex ?? null,
    nonce: place?.nonce ?? null,
    finality: place?.finality ?? null,
    receipt: facts && app.receipts.signAsOf({ ...facts, reversed }, reachedAt),
    /** The public page of the receipt. */
    receiptUrl: link && receiptUrl(app.config.baseUrl, link),
    assetAddress: place?.asset ?? addressNamed(row.network, row.symbol),
    facilitator: app.config.baseUrl,
  }
}

// A transition of a settlement and its time.
type TimelineStep = { to: string; at: Date }

// How long a history row took, and the settlement behind it: its state and its transitions, if it is there.
type Timeline = {
  settleMs: number | null
  state: string | null
  block: string | null
  steps: TimelineStep[]
  secondAt: Date | null
}

// In order. A failed judgement has no settlement.
async function findTimeline(db: Db, { id, settlementId }: HistoryRow): Promise<Timeline> {
  const row = await db.history.findUnique({ where: { id }, select: { settleMs: true } })
  const settleMs = row?.settleMs ?? null
  const none = { settleMs, state: null, block: null, steps: [], secondAt: null }
  if (settlementId === null) return none
  const found = await db.settlement.findUnique({
    where: { id: settlementId },
    select: { state: true, block: true, secondAt: true, steps: { orderBy: { seq: 'asc' }, select: { to: true, at: true } } },
  })
  return found ? { settleMs, ...found, block: found.block?.toString() ?? null } : none
}
