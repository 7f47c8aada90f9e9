import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { KEPT_MS, type ServedStore } from './store'

type Line = [key: string, value: string, at: number]

/** The key of the first line, whose time is that of the file. */
const SINCE = ''

/** Keeps served payments in a file, for one process at a time. A change is on the disk before it counts. Throws if it cannot write there. */
export function fileStore(path: string, now: () => number = Date.now): ServedStore {
  const lines = linesOf(path)
  const since = lines.find(([key]) => key === SINCE)?.[2] ?? now()
  const entries = new Map(lines.filter(([key, , at]) => key !== SINCE && now() - at < KEPT_MS).map((line) => [line[0], line]))
  rewrite(path, [[SINCE, '', since], ...entries.values()])
  let file: Promise<FileHandle> | undefined
  const append = async (line: Line) => {
    file ??= open(path, 'a')
    const handle = await file
    await handle.appendFile(`${JSON.stringify(line)}\n`)
    await handle.datasync()
  }
  return {
    since: async () => since,
    get: async (key) => entries.get(key)?.[1] ?? null,
    async replace(key, before, after) {
      const held = entries.get(key)
      if ((held?.[1] ?? null) !== before) return false
      const line: Line = [key, after, now()]
      // At once, so that a second request in this process sees it.
      entries.set(key, line)
      try {
        await append(line)
      } catch (cause) {
        if (held) entries.set(key, held)
        else entries.delete(key)
        throw cause
      }
      return true
    },
  }
}

/** The lines of the file. A line that a crash cut off was not on the disk: it never counted. */
function linesOf(path: string): Line[] {
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause
  }
  return text.split('\n').flatMap((line) => {
    const read = parsed(line)
    return read === null ? [] : [read]
  })
}

function parsed(line: string): Line | null {
  try {
    const [key, value, at]: unknown[] = JSON.parse(line)
    return typeof key === 'string' && typeof value === 'string' && typeof at === 'number' ? [key, value, at] : null
  } catch {
    return null
  }
}

/** Writes the file anew in one step, without old and cut lines. */
function rewrite(path: string, lines: Line[]): void {
  mkdirSync(dirname(path), { recursive: true })
  const draft = openSync(`${path}.new`, 'w', 0o600)
  writeSync(draft, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  fsyncSync(draft)
  closeSync(draft)
  renameSync(`${path}.new`, path)
}
