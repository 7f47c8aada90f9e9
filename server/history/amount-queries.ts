import type { Db } from '../db/database'
import { join, sql } from '../db/sql'
import { symbolsOn, tokenNamed, USDC } from '../x402/networks/assets'
import { networkIds } from '../x402/networks/networks'
import { between, type ListFilter, planOf, SCANNED_MAX, scanned } from './list-queries'
import { COLUMNS, type HistoryRow, readSafeWatermark, time } from './queries'

/** A position in a list by amount: the last row, and the time up to which rows count, so that later ones move no page. */
export type AmountCursor = { until: number; amount: string; at: number; id: string }

type AmountRequest = { order: 'largest' | 'smallest'; from: AmountCursor | null; limit: number }

/** A page by amount. `sortedTo` is the time of the oldest row that was sorted, if older ones were not. */
type AmountPage = { rows: HistoryRow[]; cursor: AmountCursor | null; hasMore: boolean; sortedTo: Date | null }

type Found = HistoryRow & { edgeAt: Date | null }

/**
 * The newest `SCANNED_MAX` rows of a list, by amount. No index orders amounts, because each settlement would pay for it; the range of
 * time chooses which rows are sorted.
 */
export async function readByAmount(
  db: Db,
  filter: ListFilter,
  { order, from, limit }: AmountRequest,
  most = SCANNED_MAX,
): Promise<AmountPage> {
  const until = from?.until ?? (await readSafeWatermark(db)).getTime()
  const plan = planOf(filter)
  const newest = sql`"createdAt" DESC, "id" DESC`
  const rows = scanned(plan, [sql`"createdAt" <= ${time(until)}`, ...between(filter)], newest, most)
  const face = faceValue()
  const by = order === 'largest' ? sql`"sum" DESC, "createdAt" DESC, "id" DESC` : sql`"sum", "createdAt", "id"`
  const found = await db.queryUnprepared<Found>(sql`
    WITH rows AS MATERIALIZED (${rows}), edge AS (
      SELECT "createdAt" AS "edgeAt" FROM rows ORDER BY ${newest} OFFSET ${most - 1} LIMIT 1
    )
    SELECT ${COLUMNS}, "edgeAt" FROM (SELECT *, ${face.sql} AS "sum" FROM rows) rows LEFT JOIN edge ON true
    WHERE ${join([...plan.match, ...beyond(order, from), sql`true`], ' AND ')} ORDER BY ${by} LIMIT ${limit + 1}`)
  const shown = found.slice(0, limit).map(({ edgeAt: _, ...row }) => row)
  const last = shown.at(-1)
  return {
    rows: shown,
    cursor: last ? { until, amount: face.of(last), at: last.createdAt.getTime(), id: last.id } : null,
    hasMore: found.length > limit,
    sortedTo: found[0]?.edgeAt ?? null,
  }
}

/**
 * What orders amounts of tokens with different decimals: whole tokens, as integers of the finest. Where all have as many, the amounts
 * themselves.
 */
function faceValue() {
  const tokens = symbolsOn(networkIds).map(tokenNamed)
  const most = Math.max(USDC.decimals, ...tokens.map(({ decimals }) => decimals))
  const factor = (decimals: number) => 10n ** BigInt(most - decimals)
  const others = tokens.filter(({ decimals }) => decimals !== USDC.decimals)
  const cases = others.map(({ symbol, decimals }) => sql`WHEN ${symbol} THEN ${String(factor(decimals))}::numeric`)
  return {
    sql:
      cases.length === 0
        ? sql`"amount"`
        : sql`"amount" * CASE "symbol" ${join(cases, ' ')} ELSE ${String(factor(USDC.decimals))}::numeric END`,
    of: ({ amount, symbol }: Pick<HistoryRow, 'amount' | 'symbol'>) =>
      String(BigInt(amount) * factor(cases.length === 0 ? most : tokenNamed(symbol).decimals)),
  }
}

function beyond(order: AmountRequest['order'], from: AmountCursor | null) {
  if (!from) return []
  const last = sql`(${from.amount}::numeric, ${time(from.at)}, ${from.id}::uuid)`
  return [order === 'largest' ? sql`("sum", "createdAt", "id") < ${last}` : sql`("sum", "createdAt", "id") > ${last}`]
}
