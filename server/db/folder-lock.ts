import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { link, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { z } from 'zod'

const Holder = z.object({ pid: z.number(), started: z.string(), host: z.string() })
type Holder = z.infer<typeof Holder>

const BEAT_MS = 1_000
const SILENT_MS = 3 * BEAT_MS
const ENDING_MS = 5_000
const ENDING_POLL_MS = 20
const PF_EXITING = 0x4 // linux/sched.h
const KILLED = 1 << (9 - 1) // SIGKILL among the pending signals

/**
 * Locks a folder for this process until released. Takes over a dead holder's lock; throws while a live process holds it. Locks are
 * numbered files, and the highest number counts. It is never deleted, only emptied. Taking over creates the next number, which the file
 * system lets only one process do, so two can never both win.
 */
export async function lockFolder(folder: string): Promise<{ release(): Promise<void> }> {
  const { started = '' } = (await processAt(process.pid)) ?? {}
  const own = JSON.stringify({ pid: process.pid, started, host: hostname() })
  for (;;) {
    const last = await highest(folder)
    await refuseIfHeld(folder, last)
    const mine = last + 1
    // A slow process may create a number that was deleted meanwhile: then a higher one exists and holds the lock.
    if ((await create(folder, mine, own)) && (await highest(folder)) === mine) return hold(folder, mine)
  }
}

async function hold(folder: string, mine: number): Promise<{ release(): Promise<void> }> {
  const file = fileOf(folder, mine)
  const older = (await numbers(folder)).filter((number) => number < mine)
  await Promise.all(older.map((number) => rm(fileOf(folder, number), { force: true })))
  // A process on another host (a shared volume) cannot look up our pid, only see these timestamps change.
  const beat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), BEAT_MS).unref()
  return {
    release: async () => {
      clearInterval(beat)
      await truncate(file).catch(() => {}) // The folder may be gone.
    },
  }
}

async function refuseIfHeld(folder: string, number: number): Promise<void> {
  const file = fileOf(folder, number)
  const holder = parse(await readFile(file, 'utf8').catch(() => ''))
  if (!holder || !(await isAlive(holder, file))) return
  throw new Error(
    `the embedded database in ${folder} is in use by process ${holder.pid} on ${holder.host}; stop it or set DATABASE_URL`,
  )
}

// Linking a finished file is atomic and fails on an existing name: no reader sees half a lock.
async function create(folder: string, number: number, content: string): Promise<boolean> {
  const draft = path.join(folder, `draft.${randomUUID()}`)
  await writeFile(draft, content, { mode: 0o600 })
  try {
    await link(draft, fileOf(folder, number))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

const fileOf = (folder: string, number: number): string => path.join(folder, `lock.${number}`)

async function numbers(folder: string): Promise<number[]> {
  const names = await readdir(folder)
  return names.flatMap((name) => Number(/^lock\.(\d+)$/.exec(name)?.[1] ?? Number.NaN)).filter(Number.isInteger)
}

const highest = async (folder: string): Promise<number> => Math.max(0, ...(await numbers(folder)))

async function isAlive(holder: Holder, file: string): Promise<boolean> {
  if (holder.host === hostname()) return isAliveHere(holder)
  const before = await stat(file).catch(() => undefined)
  await wait(SILENT_MS)
  const after = await stat(file).catch(() => undefined)
  return before !== undefined && after !== undefined && before.mtimeMs !== after.mtimeMs
}

/** Waits for a killed process to end, because it may still finish a write. */
async function isAliveHere({ pid, started }: Holder): Promise<boolean> {
  for (let waitedMs = 0; ; waitedMs += ENDING_POLL_MS) {
    const found = await processAt(pid)
    if ((found?.started ?? '') !== started) return false
    if (!found?.ending || waitedMs >= ENDING_MS) return true
    await wait(ENDING_POLL_MS)
  }
}

/** When a process started (a text that differs for a later process with the same pid), and whether it is ending. */
type Found = { started: string; ending: boolean }

async function processAt(pid: number): Promise<Found | undefined> {
  try {
    return foundIn(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    if (process.platform === 'linux') return undefined
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
    return { started: stdout.trim(), ending: false }
  }
}

/** Reads proc_pid_stat(5). A zombie whose threads are gone counts as ended. */
export function foundIn(status: string): Found | undefined {
  // Fields after the command, which is in brackets and may hold anything: state (0), flags (6), threads (17), start time (19), pending
  // signals (28).
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
  const has = (at: number, bit: number) => (Number(fields[at]) & bit) !== 0
  const zombie = fields[0] === 'Z'
  if (zombie && Number(fields[17]) <= 1) return undefined
  return { started: fields[19] ?? '', ending: zombie || has(6, PF_EXITING) || has(28, KILLED) }
}

function parse(content: string): Holder | undefined {
  try {
    return Holder.parse(JSON.parse(content))
  } catch {
    return undefined
  }
}
