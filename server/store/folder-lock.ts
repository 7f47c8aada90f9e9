import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { z } from 'zod'

const Holder = z.object({ pid: z.number(), started: z.string(), host: z.string() })
type Holder = z.infer<typeof Holder>

const FILE = 'lock'
const BEAT_MS = 1_000
const SILENT_MS = 3 * BEAT_MS

/** Takes the folder for this process until released; throws while a live process has it. A dead holder's lock is taken over. */
export async function lockFolder(folder: string): Promise<{ release(): Promise<void> }> {
  const file = path.join(folder, FILE)
  const own = JSON.stringify({ pid: process.pid, started: await startOf(process.pid), host: hostname() })
  while (!(await place(file, own))) await evict(file, folder)
  // a holder on another host (a shared volume) cannot be looked up there by pid, only be seen to be alive
  const beat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), BEAT_MS).unref()
  return {
    release: async () => {
      clearInterval(beat)
      if ((await contentOf(file)) === own) await rm(file, { force: true })
    },
  }
}

// linking a finished file is atomic and refuses an existing name: nobody ever reads half a lock
async function place(file: string, content: string): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, content, { mode: 0o600 })
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

async function evict(file: string, folder: string): Promise<void> {
  const content = await contentOf(file)
  if (content === undefined) return
  const holder = parse(content)
  if (holder && (await isAlive(holder, file))) {
    throw new Error(
      `the embedded database in ${folder} is in use by process ${holder.pid} on ${holder.host}; stop it or set DATABASE_URL`,
    )
  }
  // only one of several evictors gets the name; whoever caught a newer lock by it puts that back
  const caught = `${file}.${randomUUID()}`
  try {
    await rename(file, caught)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
  if ((await contentOf(caught)) !== content) await link(caught, file).catch(() => {})
  await rm(caught, { force: true })
}

async function isAlive(holder: Holder, file: string): Promise<boolean> {
  if (holder.host === hostname()) return (await startOf(holder.pid)) === holder.started
  const before = await stat(file).catch(() => undefined)
  await wait(SILENT_MS)
  const after = await stat(file).catch(() => undefined)
  return before !== undefined && after !== undefined && before.mtimeMs !== after.mtimeMs
}

/** When a process started, in words that differ for a later process with the same pid; '' when there is none. */
async function startOf(pid: number): Promise<string> {
  try {
    // the fields after the command, which is in brackets and may hold anything; the 20th of them is the start in clock ticks
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? '' : (fields[19] ?? '')
  } catch {
    if (process.platform === 'linux') return ''
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
    return stdout.trim()
  }
}

const contentOf = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined)

function parse(content: string): Holder | undefined {
  try {
    return Holder.parse(JSON.parse(content))
  } catch {
    return undefined
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)
