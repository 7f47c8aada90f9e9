import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** A new path for the file of a store. Its folder goes with the test. */
export function newStore(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'merchant-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return path.join(folder, 'served.jsonl')
}
