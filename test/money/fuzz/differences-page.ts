import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../../support/source-files'

/** The cells of a row of a table. */
export const cellsOf = (line: string): string[] => line.split('|').map((cell) => cell.trim())

/** The rows of the table below a heading of docs/differences.md. */
export function rowsBelow(heading: string): string[][] {
  const page = readFileSync(path.join(ROOT, 'docs/differences.md'), 'utf8')
  const [, part = ''] = page.split(`## ${heading}\n`)
  const lines = (part.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map(cellsOf)
}
