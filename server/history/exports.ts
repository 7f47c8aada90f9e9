import { EXPORTED_MAX } from '../accounts/plans'
import type { App } from '../app'
import type { Reader } from './filters'
import { pageOfHistory } from './history'
import { type HistoryEntry, presentExported } from './present'
import type { HistoryCursor, HistoryFilter } from './queries'

export const exportFormats = ['csv', 'json'] as const
export type ExportFormat = (typeof exportFormats)[number]

const PAGE = 100

/** The rows of a history as a file, newest first, one page in memory at a time. */
export async function* exported(app: App, reader: Reader, filter: HistoryFilter, format: ExportFormat): AsyncGenerator<string> {
  const { head, row, between, tail } = FORMATS[format]
  yield head
  let first = true
  for await (const entry of entries(app, reader, filter)) {
    yield `${first ? '' : between}${row(presentExported(entry))}`
    first = false
  }
  yield tail
}

async function* entries(app: App, reader: Reader, filter: HistoryFilter): AsyncGenerator<HistoryEntry> {
  const read = (from: HistoryCursor | null) =>
    app.exports.read(() => pageOfHistory(app, reader, filter, { direction: 'before', from, limit: PAGE }))
  let page = await read(null)
  for (let written = 0; written < EXPORTED_MAX; ) {
    yield* page.entries
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
const FORMULA = /(^|[;|\t\r\n])(?=(?:["']|[^\S\t\r\n])*[=+\-@＝＋－＠])/g
// Some spreadsheets strip these before they check.
const LED = /^(?=[\t\r\n])/

function cell(text: string): string {
  const safe = text.replace(FORMULA, "$1'").replace(LED, "'")
  return /[",;|\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
