import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Outcome } from './traffic'

const fileOf = (name: string) => path.join(import.meta.dirname, '..', '..', '..', 'test-results', `${name}.md`)
const HEAD = [
  ['tier', 'id', 'fault', 'payments', 'known', 'at once', 'p50 ms', 'p99 ms', 'answers', 'auditor'],
  Array.from({ length: 10 }, () => '---'),
]

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`

let file = fileOf('matrix')

/** Starts a new table with this name; each test file has its own. */
export async function beginReport(name = 'matrix'): Promise<void> {
  file = fileOf(name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, HEAD.map(line).join(''))
}

/** Adds a fault's row: payments with a known outcome, answer times and the audit's result. */
export async function report(
  tier: string,
  { id, what }: { id: string; what: string },
  outcome: Outcome,
  offences: number,
): Promise<void> {
  const { known, unknown, failed, atOnce, statuses, waits } = outcome
  const percentile = (share: number) => String(Math.round(waits[Math.floor((waits.length - 1) * share)] ?? 0))
  const ends = failed.size === 0 ? '' : ` (${listOf(failed)})`
  const counts = [String(known + unknown.length), `${known}${ends}`, String(atOnce)]
  const row = [
    tier,
    id,
    what,
    ...counts,
    percentile(0.5),
    percentile(0.99),
    listOf(statuses),
    offences === 0 ? 'clean' : `${offences} offences`,
  ]
  await appendFile(file, line(row))
}

function listOf(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].toSorted(([a], [b]) => a.localeCompare(b))
  return sorted.map(([what, count]) => `${what}: ${count}`).join(', ')
}
