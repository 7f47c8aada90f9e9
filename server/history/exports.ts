import { z } from 'zod'
import { signedInRate } from '../accounts/caller'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import { isZone } from '../base/zones'
import { endpoint } from '../http/endpoint'
import { API_HEADERS } from '../http/errors'
import { administers, type Principal } from '../sign-in/principal'
import { principalOf } from '../sign-in/session-cookie'
import { EXPORTED_MAX } from './export-limit'
import type { ExportSlots } from './export-slots'
import { filterOf, listFilter, type Reader, readers } from './filters'
import type { ListFilter } from './list-queries'
import { pageForFile } from './lists'
import { presentExported } from './present'
import { scopeFor } from './procedures'
import type { HistoryCursor } from './queries'

const exportFormats = ['csv', 'json'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The history of the signed-in reader as a file, with the filters of the screen. Throws `too_many` if no export slot is free. */
export const exportHistory = endpoint({
  unlisted: 'own pages',
  rate: signedInRate,
  credentials: { names: [], prove: signedIn },
  query: listFilter.extend({
    reader: z.enum(readers),
    format: z.enum(exportFormats),
    zone: z.string().refine(isZone, 'must be a time zone such as UTC or Europe/Berlin').default('UTC'),
  }),
  async handler({ app, who, query: { reader, format, zone, ...filters } }) {
    const filter = { ...filterOf(reader, filters), ...scopeFor({ principal: who }, reader) }
    const rows = exported(app, reader, filter, { format, zone })
    const day = app.now().toISOString().slice(0, 10)
    const leave = administers(who) ? app.exports.takeForAdmin() : app.exports.take(readerIn(who))
    return new Response(streamOf(rows, app.exports, leave), {
      headers: {
        ...API_HEADERS,
        'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json',
        'content-disposition': `attachment; filename="settlements-${day}.${format}"`,
      },
    })
  },
})

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

const COLUMNS = [
  'created_at',
  'outcome',
  'amount_usdc',
  'amount_atomic',
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
  'asset',
  'asset_address',
  'explorer_url',
  'amount',
] as const satisfies (keyof Row)[]

type Row = ReturnType<typeof presentExported>

type Format = { head: string; row: (row: Row) => string; between: string; tail: string }

const FORMATS = {
  csv: {
    head: `${COLUMNS.join(',')}\r\n`,
    row: (row) => `${COLUMNS.map((column) => cell(row[column])).join(',')}\r\n`,
    between: '',
    tail: '',
  },
  json: { head: '[\n', row: (row) => JSON.stringify(row), between: ',\n', tail: '\n]\n' },
} as const satisfies Record<ExportFormat, Format>

// Untrusted text may be a spreadsheet formula: at the start of a cell, after blanks or quotes, or after ";" in some programs. An
// apostrophe makes it text.
const FORMULA = /(^|[;|\t\r\n])(?=(?:["']|[^\S\t\r\n])*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g
// Some spreadsheets strip these before they check.
const LED = /^(?=[\t\r\n])/

function cell(text: string): string {
  const safe = text.replace(FORMULA, "$1'").replace(LED, "'")
  return /[",;|\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
