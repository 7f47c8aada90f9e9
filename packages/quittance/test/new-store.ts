import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A new path for the file of a store. */
export const newStore = (): string => path.join(mkdtempSync(path.join(tmpdir(), 'merchant-')), 'served.jsonl')
