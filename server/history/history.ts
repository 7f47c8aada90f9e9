import { chargingKeysOf, type Owner } from '../accounts/tenant-queries'
import { type AgentEntry, agentsOf } from '../agents/identities'
import type { App } from '../app'
import { dateAfter } from '../base/zones'
import { readSigned, seal } from '../http/page'
import { bySymbol, type Token, tokenNamed, USDC } from '../x402/networks/assets'
import type { Environment } from '../x402/networks/networks'
import type { Reader } from './filters'
import { readPage } from './list-queries'
import type { HistoryEntry } from './present'
import { type HistoryCursor, type HistoryFilter, type HistoryRow, type PageRequest, type Position, readPaidDays } from './queries'

/** A page of a reader's history, newest first. */
export async function pageOfHistory(
  { app, reader: share }: { app: App; reader: string },
  reader: Reader,
  filter: HistoryFilter,
  page: PageRequest,
): Promise<{ entries: HistoryEntry[]; cursor: HistoryCursor | null; hasMore: boolean }> {
  const { rows, cursor, hasMore } = await app.lists(share, (db) => readPage(db, filter, page, null))
  return { entries: await withAgents(app, reader, rows), cursor: rows.length > 0 ? cursor : null, hasMore }
}

/** Rows with the agents of their payers. A payer sees none. */
export async function withAgents(app: App, reader: Reader, rows: HistoryRow[]): Promise<HistoryEntry[]> {
  const payers = reader === 'payer' ? [] : [...new Set(rows.map(({ payer }) => payer).filter(Boolean))]
  const agents = payers.length === 0 ? new Map<string, AgentEntry[]>() : await agentsOf(app, payers)
  return rows.map((row) => ({ ...row, agents: agents.get(row.payer) ?? [] }))
}

/** The history of a signed-in reader: the owner's keys, or the wallet's payments. */
export const scopeOf = {
  merchant: (owner: Owner): HistoryFilter => ({ owner: chargingKeysOf(owner) }),
  payer: (wallet: string): HistoryFilter => ({ payer: wallet }),
  agent: (wallet: string): HistoryFilter => ({ owner: { kinds: ['wallet'], id: wallet } }),
} as const satisfies Partial<Record<Reader, (whose: never) => HistoryFilter>>

/** Encodes a position as a signed cursor of this list, valid for no other list. */
export function writeHistoryCursor(
  { config }: Pick<App, 'config'>,
  list: string,
  { oldest, above, seen }: HistoryCursor,
): string {
  const written: Written = [tupleOf(oldest), tupleOf(above), seen && [tupleOf(seen.upTo), seen.snapshot]]
  return seal(config.cursorKey, list, written)
}

/** The position in a cursor of this list. Throws `bad_request`. */
export function readHistoryCursor({ config }: Pick<App, 'config'>, list: string, cursor: string): HistoryCursor {
  // Only `writeHistoryCursor` makes a value with a valid signature for a list.
  const [oldest, above, seen] = readSigned(config.cursorKey, list, cursor) as Written
  return { oldest: positionOf(oldest), above: positionOf(above), seen: seen && { upTo: positionOf(seen[0]), snapshot: seen[1] } }
}

type Tuple = [at: number, id: string]
type Written = [oldest: Tuple, above: Tuple, seen: [upTo: Tuple, snapshot: string] | null]

const tupleOf = ({ at, id }: Position): Tuple => [at, id]
const positionOf = ([at, id]: Tuple): Position => ({ at, id })

/** What a wallet paid in some time; the amount is digits of atomic units. */
type Paid = { payments: number; amount: string }

/** What a wallet paid of a token in each month (`2026-11`, UTC) and on each day (`2026-11-28`). */
type Spending = Token & { months: ({ month: string } & Paid)[]; days: ({ day: string } & Paid)[] }

const MONTHS = 12
const DAYS = 30

/**
 * What a wallet paid in the last twelve months and thirty days, in each environment and of each token, USDC first: every month and day, oldest
 * first, this one included.
 */
export async function paidMonths(
  { sums, coalesce, now }: Pick<App, 'sums' | 'coalesce' | 'now'>,
  wallet: string,
  reader: string,
): Promise<Record<Environment, Spending[]>> {
  const months = lastMonths(now())
  const today = now().toISOString().slice(0, 10)
  const days = Array.from({ length: DAYS }, (_, at) => dateAfter(today, at + 1 - DAYS))
  const [first = ''] = months
  const read = () => readPaidDays(sums, wallet, new Date(`${first}-01`))
  const paid = await coalesce(reader, `paid days ${wallet} ${first}`, read)
  const allOf = (environment: Environment) => {
    const own = paid.filter((row) => row.environment === environment)
    const symbols = [...new Set([USDC.symbol, ...own.map(({ symbol }) => symbol)])].toSorted(bySymbol)
    return symbols.map((name) => {
      const rows = own.filter(({ symbol }) => symbol === name)
      const paidIn = (time: string): Paid => sumOf(rows.filter(({ day }) => day.startsWith(time)))
      return {
        ...tokenNamed(name),
        months: months.map((month) => ({ month, ...paidIn(month) })),
        days: days.map((day) => ({ day, ...paidIn(day) })),
      }
    })
  }
  return { mainnet: allOf('mainnet'), testnet: allOf('testnet') }
}

const sumOf = (rows: readonly Paid[]): Paid => ({
  payments: rows.reduce((sum, { payments }) => sum + payments, 0),
  amount: String(rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n)),
})

function lastMonths(now: Date): string[] {
  return Array.from({ length: MONTHS }, (_, at) => {
    const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (MONTHS - 1 - at), 1))
    return start.toISOString().slice(0, 7)
  })
}
