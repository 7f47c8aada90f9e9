import { accessSync, constants, mkdirSync } from 'node:fs'
import { open, readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import { openedOnce } from '../opened-once'
import { type FileLock, lockFile } from './file-lock'
import { forgetOld, PRUNED_EVERY_MS, type ServedStore } from './store'

type Line = [key: string, value: string, at: number]

/** The key of the first line, whose time is that of the file. */
const SINCE = ''

/**
 * Keeps served payments in a file, for one process. Each call with the same path returns the same store. A change is on the disk before it
 * counts. Throws if it cannot write there; its methods throw while another process has the file.
 */
export function fileStore(file: string, now: () => number = Date.now): ServedStore {
  const at = path.resolve(file)
  mkdirSync(path.dirname(at), { recursive: true })
  accessSync(path.dirname(at), constants.W_OK)
  const stores = storesOfProcess()
  const known = stores.get(at)
  if (known) return known
  // Opened at first use: a build loads the modules of a server in several processes.
  const opened = openedOnce(async () => {
    const lock = await lockFile(at)
    return openedFile(at, now, lock.isHeld).catch(async (cause) => {
      await lock.release()
      throw cause
    })
  })
  const store: ServedStore = {
    since: async () => (await opened()).since(),
    get: async (key) => (await opened()).get(key),
    replace: async (key, before, after) => (await opened()).replace(key, before, after),
  }
  stores.set(at, store)
  return store
}

/** Reads the file and writes to it. `isHeld` tells whether this process is still the one that may. */
export async function openedFile(file: string, now: () => number, isHeld: FileLock['isHeld']): Promise<ServedStore> {
  const lines = await linesOf(file)
  const since = lines.find(([key]) => key === SINCE)?.[2] ?? now()
  const entries = new Map<string, Line>()
  for (const line of lines) if (line[0] !== SINCE) put(entries, line)
  let prunedAt = 0
  /** Writes the file anew in one step, without old and cut lines. */
  const prune = async () => {
    const at = now()
    forgetOld(entries, ([, , of]) => at - of)
    await write(`${file}.new`, 'w', [written([SINCE, '', since]), ...[...entries.values()].map(written)].join(''))
    await rename(`${file}.new`, file)
    prunedAt = at
  }
  const mustHold = async () => {
    if (!(await isHeld())) throw new Error(`another process took ${file} over`)
  }
  let waiting: { text: string; done: Promise<void> } | undefined
  const writeWaiting = async () => {
    const text = waiting?.text ?? ''
    waiting = undefined
    if (now() - prunedAt >= PRUNED_EVERY_MS) {
      // The file that another process writes now is not replaced.
      await mustHold()
      await prune()
    }
    await write(file, 'a', text)
    await mustHold()
  }
  let turn: Promise<void> = Promise.resolve()
  /** Lines that come while the disk works are written together. */
  const append = (line: Line): Promise<void> => {
    waiting ??= { text: '', done: turn.then(writeWaiting) }
    waiting.text += written(line)
    const { done } = waiting
    turn = done.catch(() => undefined)
    return done
  }
  await prune()
  return {
    since: async () => since,
    get: async (key) => entries.get(key)?.[1] ?? null,
    async replace(key, before, after) {
      const held = entries.get(key)
      if ((held?.[1] ?? null) !== before) return false
      const line: Line = [key, after, now()]
      // At once, so that a second request in this process sees it.
      put(entries, line)
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

const OF_PROCESS = Symbol.for('@quittance/x402 file stores')

/** The stores by path. A bundler may load this module once for each route: they share what the process has. */
function storesOfProcess(): Map<string, ServedStore> {
  const known: unknown = Reflect.get(globalThis, OF_PROCESS)
  // Only this function sets it.
  if (known instanceof Map) return known
  const stores = new Map<string, ServedStore>()
  Reflect.set(globalThis, OF_PROCESS, stores)
  return stores
}

/** Removed first: a Map lists its keys in the order in which they came. */
function put(entries: Map<string, Line>, line: Line): void {
  entries.delete(line[0])
  entries.set(line[0], line)
}

/** The text of a line. It starts on a new line, because a failed write may leave half of one. */
const written = (line: Line) => `\n${JSON.stringify(line)}\n`

/** Writes a text; it is on the disk when this resolves. */
async function write(file: string, flags: 'a' | 'w', text: string): Promise<void> {
  const handle = await open(file, flags, 0o600)
  try {
    await handle.appendFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The lines of the file. A line that a crash cut off was not on the disk: it never counted. */
async function linesOf(file: string): Promise<Line[]> {
  let text = ''
  try {
    text = await readFile(file, 'utf8')
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
