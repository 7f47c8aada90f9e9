import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { access, readdir, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'

/** Where the process is; its number alone may name a later process. */
type Claim = { host: string; pid: number; started: string }

const UNKNOWN = 'unknown'

/** `isHeld` tells whether this process is still the one that may write; `release` lets another one. */
export type FileLock = { isHeld: () => Promise<boolean>; release: () => Promise<void> }

/**
 * Makes this process the only one that writes a file. Throws while another process of this machine has the file; a process elsewhere loses
 * it. Each process has a claim of its own, so that none removes that of a living one.
 */
export async function lockFile(file: string): Promise<FileLock> {
  const [folder, prefix] = [path.dirname(file), `${path.basename(file)}.lock-`]
  const own = `${prefix}${[thisHost(), process.pid, startOf(process.pid), randomUUID().slice(0, 8)].join('~')}`
  const at = path.join(folder, own)
  const release = () => rm(at, { force: true })
  await writeFile(at, '', { flag: 'wx', mode: 0o600 })
  try {
    for (const other of await readdir(folder)) {
      if (!other.startsWith(prefix) || other === own) continue
      const claim = claimIn(other.slice(prefix.length))
      if (isAlive(claim))
        throw new Error(`process ${claim.pid} has ${file} open: use redisStore or sqlStore for several processes`)
      await rm(path.join(folder, other), { force: true })
    }
  } catch (cause) {
    await release()
    throw cause
  }
  process.once('exit', () => rmSync(at, { force: true }))
  const isHeld = () =>
    access(at).then(
      () => true,
      () => false,
    )
  return { isHeld, release }
}

const thisHost = () => encodeURIComponent(hostname())

function claimIn(name: string): Claim {
  const [host = '', pid, started = UNKNOWN] = name.split('~')
  return { host, pid: Number(pid), started }
}

function isAlive({ host, pid, started }: Claim): boolean {
  if (host !== thisHost()) return false
  try {
    process.kill(pid, 0)
  } catch (cause) {
    // Another user's process lives.
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EPERM')) return false
  }
  const startedNow = startOf(pid)
  return startedNow === UNKNOWN || started === UNKNOWN || started === startedNow
}

/** When a process started, in ticks of Linux; `unknown` on other systems, `ended` for one that only its parent still knows. */
function startOf(pid: number): string {
  try {
    // The name of the program may hold blanks and parentheses.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? UNKNOWN)
  } catch {
    return UNKNOWN
  }
}
