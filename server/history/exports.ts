import { z } from 'zod'
import { signedInRate } from '../accounts/caller'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import { dateIn, isZone } from '../base/zones'
import { endpoint } from '../http/endpoint'
import { API_HEADERS } from '../http/errors'
import { administers, type Principal } from '../sign-in/principal'
import { principalOf } from '../sign-in/session-cookie'
import { exactAmount } from '../x402/networks/amounts'
import { tokenNamed } from '../x402/networks/assets'
import { EXPORTED_MAX } from './export-limit'
import type { ExportSlots } from './export-slots'
import { filterOf, listFilter, type Reader, readers } from './filters'
import type { ListFilter } from './list-queries'
import { pageForFile } from './lists'
import { presentExported } from './present'
import { scopeFor } from './procedures'
import type { HistoryCursor } from './queries'

const exportFormats = ['csv', 'json', 'totals'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The history of the signed-in reader as a file, with the filters of the screen. Throws `too_many` if no export slot is free. */
export const exportHistory = endpoint({
  unlisted: 'own pages',
  rate: signedInRate,
  credentials: { names: [], prove: signedIn },
  repeatable: ['resource'],
  query: listFilter.extend({
    reader: z.enum(readers),
    format: z.enum(exportFormats),
    zone: z.string().refine(isZone, 'must be a time zone such as UTC or Europe/Berlin').default('UTC'),
  }),
  async handler({ app, who, query: { reader, format, zone, ...filters } }) {
    const filter = { ...filterOf(reader, filters), ...scopeFor({ principal: who }, reader) }
    const rows = exported(app, reader, filter, { format, zone })
    const name = fileName(reader, filters, { format, zone }, app.now())
    const leave = administers(who) ? app.exports.takeForAdmin() : app.exports.take(readerIn(who))
    return new Response(streamOf(rows, app.exports, leave), {
      headers: {
        ...API_HEADERS,
        'content-type': format === 'json' ? 'application/json' : 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${name}"`,
      },
    })
  },
})

/** The name of a file: what it has, and its first and last day in the zone, such as `settlements-2026-10-01-to-2026-10-31.csv`. */
export function fileName(
  reader: Reader,
  { from, to }: { from?: number | undefined; to?: number | undefined },
  { format, zone }: FileForm,
  now: Date,
): string {
  const today = dateIn(zone, now)
  // `to` is the first moment after the range, which may end in the future.
  const last = to === undefined ? today : dateIn(zone, Math.min(to - 1, now.getTime()))
  const first = from === undefined ? null : dateIn(zone, from)
  const period = first === null || first > last ? `to-${last}` : `${first}-to-${last}`
  return `${reader === 'payer' ? 'payments' : 'settlements'}${format === 'totals' ? '-totals' : ''}-${period}.${format === 'json' ? 'json' : 'csv'}`
}

async function signedIn(app: App, request: Request): Promise<Principal> {
  const principal = await principalOf(app, request)
  if (!principal) throw new ServiceError('unauthorized', 'sign in to export a history')
  return principal
}

/** Streams at the reader's speed and holds its slot until it ends, is cancelled or stalls. */
function streamOf(
  texts: AsyncGenerator<string>,
  { stallMs, totalMs }: ExportSlots,
  leave: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let stalled: NodeJS.Timeout | undefined
  let whole: NodeJS.Timeout | undefined
  let over = false
  const end = async () => {
    over = true
    clearTimeout(stalled)
    clearTimeout(whole)
    leave()
    await texts.return(undefined)
  }
  const abort = (controller: ReadableStreamDefaultController, why: string) => {
    controller.error(new Error(why))
    // The end also stops a pending read.
    void end().catch(() => {})
  }
  return new ReadableStream({
    start(controller) {
      whole = setTimeout(() => abort(controller, 'the export took too long'), totalMs).unref()
    },
    async pull(controller) {
      clearTimeout(stalled)
      try {
        const next = await texts.next()
        if (over) return
        if (next.done) {
          controller.close()
          return await end()
        }
        controller.enqueue(encoder.encode(next.value))
        stalled = setTimeout(() => abort(controller, 'the download stalled'), stallMs).unref()
      } catch (error) {
        await end()
        throw error
      }
    },
    cancel: end,
  })
}

// The kind is part of the name, so that a merchant and a wallet never share a slot.
const readerIn = (who: Principal) => `${who.kind} ${who.kind === 'merchant' ? who.id : who.kind === 'wallet' ? who.wallet : ''}`

const PAGE = 100

type FileForm = { format: ExportFormat; zone: string }

/** The `max` newest rows of a history as a file, newest first, one page in memory at a time. */
export async function* exported(
  app: App,
  reader: Reader,
  filter: ListFilter,
  { format, zone }: FileForm,
  max = EXPORTED_MAX,
): AsyncGenerator<string> {
  if (format === 'totals') return yield* totalsOf(rowsOf(app, reader, filter, zone, max), max)
  const { head, row, between, tail } = FORMATS[format]
  yield head
  let first = true
  for await (const entry of rowsOf(app, reader, filter, zone, max)) {
    yield `${first ? '' : between}${row(entry)}`
    first = false
  }
  yield tail
}

async function* rowsOf(app: App, reader: Reader, filter: ListFilter, zone: string, max: number): AsyncGenerator<Row> {
  const read = (from: HistoryCursor | null) =>
    app.exports.read(() => pageForFile(app, reader, filter, { direction: 'before', from, limit: PAGE }))
  let page = await read(null)
  for (let written = 0; written < max; ) {
    for (const entry of page.entries) yield presentExported(entry, page.insight(entry), zone)
    written += page.entries.length
    if (!page.hasMore || !page.cursor) return
    page = await read(page.cursor)
  }
}

/**
 * The columns of a CSV file. A sum over `amount` is what was settled: what failed only attempted its amount. `maximum` is what a payer signed
 * by `upto`.
 */
const COLUMNS = [
  'created_at',
  'outcome',
  'amount',
  'asset',
  'attempted_amount',
  'maximum',
  'network',
  'payer',
  'pay_to',
  'resource',
  'tx_hash',
  'error_reason',
  'plan',
  'tenant_id',
  'date',
  'time',
  'time_zone',
  'utc_offset',
  'id',
  'settlement_id',
  'key_name',
  'network_name',
  'asset_address',
  'explorer_url',
] as const satisfies (keyof Booked)[]

type Booked = Row & { attempted_amount: string }

const booked = (row: Row): Booked =>
  row.outcome === 'settled' ? { ...row, attempted_amount: '' } : { ...row, amount: '', attempted_amount: row.amount }

type Row = ReturnType<typeof presentExported>

type Format = { head: string; row: (row: Row) => string; between: string; tail: string }

const FORMATS = {
  csv: {
    head: `${COLUMNS.join(',')}\r\n`,
    row: (row) => {
      const shown = booked(row)
      return `${COLUMNS.map((column) => cell(shown[column])).join(',')}\r\n`
    },
    between: '',
    tail: '',
  },
  json: { head: '[\n', row: (row) => JSON.stringify(row), between: ',\n', tail: '\n]\n' },
} as const satisfies Record<Exclude<ExportFormat, 'totals'>, Format>

const TOTALS = ['month', 'asset', 'network', 'network_name', 'settlements', 'amount', 'complete'] as const

/** What was settled in each month of the zone, of each token on each network, oldest first. `complete`: no row was left out by `max`. */
async function* totalsOf(rows: AsyncGenerator<Row>, max: number): AsyncGenerator<string> {
  const sums = new Map<string, { row: Row; month: string; count: number; atomic: bigint }>()
  let read = 0
  for await (const row of rows) {
    read++
    if (row.outcome !== 'settled') continue
    const month = row.date.slice(0, 7)
    const name = `${month} ${row.asset} ${row.network}`
    const { count, atomic } = sums.get(name) ?? { count: 0, atomic: 0n }
    sums.set(name, { row, month, count: count + 1, atomic: atomic + BigInt(row.amount_atomic) })
  }
  yield `${TOTALS.join(',')}\r\n`
  for (const [, { row, month, count, atomic }] of [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const { asset, network, network_name } = row
    const amount = exactAmount(atomic, tokenNamed(asset).decimals)
    const cells = { month, asset, network, network_name, settlements: String(count), amount, complete: read < max ? 'yes' : 'no' }
    yield `${TOTALS.map((column) => cell(cells[column])).join(',')}\r\n`
  }
}

// Untrusted text may be a spreadsheet formula: at the start of a cell, after blanks or quotes, or after ";" in some programs. An
// apostrophe makes it text.
const FORMULA = /(^|[;|\t\r\n])(?=(?:["']|[^\S\t\r\n])*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g
// Some spreadsheets strip these before they check.
const LED = /^(?=[\t\r\n])/

function cell(text: string): string {
  const safe = text.replace(FORMULA, "$1'").replace(LED, "'")
  return /[",;|\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
