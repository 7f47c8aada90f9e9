import { execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { appendFile, chmod, chown, mkdtemp, readFile, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { needs } from '../../../devnet/test-kind'

const run = promisify(execFile)

/** A temporary PostgreSQL server. */
export type Cluster = {
  /** The server's temporary folder, deleted with it. */
  folder: string
  /** The connection URL of a database. */
  url(database: string): string
  /** Starts the server again after `crash`, on the same port. */
  start(): Promise<void>
  /** Stops the server at once, like a power cut. */
  crash(): Promise<void>
  /** Pauses all its processes: it accepts connections and answers nothing. Linux only. */
  freeze(): Promise<void>
  /** Resumes after `freeze`. */
  thaw(): Promise<void>
  /** Stops the server and deletes its files. */
  remove(): Promise<void>
}

/** Starts a temporary PostgreSQL cluster, in memory where there is enough; `durable` makes it commit to disk as in production. */
export async function startCluster({ durable = false } = {}): Promise<Cluster> {
  needs('db')
  const bin = findBinaries()
  const as = await unprivileged()
  const folder = await mkdtemp(path.join(durable ? tmpdir() : await quickFolder(), 'quittance-pg-'))
  if (as) await chown(folder, as.uid, as.gid)
  await chmod(folder, 0o700)
  const sweep = standBy(folder)
  const data = path.join(folder, 'data')
  const options = { cwd: folder, ...as }
  const port = await freePort()

  const log = path.join(folder, 'log')
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  const control = (...args: string[]) => run(path.join(bin, 'pg_ctl'), ['-D', data, '-w', '-s', ...args], options)
  const start = async () => void (await control('-l', log, 'start'))
  try {
    await run(path.join(bin, 'initdb'), initdb, options)
    await appendFile(path.join(data, 'postgresql.conf'), settings(folder, port, durable))
    await start()
  } catch (cause) {
    const said = await readFile(log, 'utf8').catch(() => '')
    await sweep()
    throw new Error(`PostgreSQL did not start: ${said}`, { cause })
  }
  return {
    folder,
    url: (database) => `postgresql://postgres@127.0.0.1:${port}/${database}`,
    start,
    crash: async () => void (await control('-m', 'immediate', 'stop')),
    freeze: () => signalAll(data, 'SIGSTOP'),
    thaw: () => signalAll(data, 'SIGCONT'),
    remove: sweep,
  }
}

const MEMORY = '/dev/shm'
/** Far more than the databases of a test run take. */
const ENOUGH_BYTES = 4 * 1024 ** 3

/** A folder in memory if this much is free: a database is 700 files, and making them on a disk takes a quarter of a second of CPU time. */
async function quickFolder(): Promise<string> {
  if (!existsSync(MEMORY) || process.availableMemory() < ENOUGH_BYTES) return tmpdir()
  const { bavail, bsize } = await statfs(MEMORY)
  return bavail * bsize < ENOUGH_BYTES ? tmpdir() : MEMORY
}

/** Signals the server's first process, then its children. The paused first process cannot fork more. */
async function signalAll(data: string, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const [first = ''] = (await readFile(path.join(data, 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(first), signal)
  const forked = await readFile(`/proc/${first}/task/${first}/children`, 'utf8')
  for (const pid of forked.split(' ').filter(Boolean)) signalLiving(Number(pid), signal)
}

/** Signals a process, unless it has ended meanwhile, as a short one does. */
function signalLiving(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Starts a process that cleans up even if we are killed; the returned function cleans up now. */
function standBy(folder: string): () => Promise<void> {
  const script = fileURLToPath(new URL('./sweeper.mjs', import.meta.url))
  // Detached, so that Ctrl-C does not reach it.
  const child = spawn(process.execPath, [script, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  child.unref()
  const swept = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return () => {
    child.ref()
    child.stdin.end()
    return swept
  }
}

const settings = (folder: string, port: number, durable: boolean): string => `
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = '${folder}'
max_connections = 200
shared_buffers = 64MB
max_wal_size = 256MB
${durable ? '' : 'fsync = off\nfull_page_writes = off\n'}`

/** The folder that holds initdb and pg_ctl: on the path, or where Debian keeps them. */
function findBinaries(): string {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(process.env.PATH ?? '').split(path.delimiter),
    ...versions.map((version) => path.join(debian, version, 'bin')),
  ]
  const found = folders.find((folder) => ['initdb', 'pg_ctl'].every((name) => existsSync(path.join(folder, name))))
  if (!found) throw new Error('PostgreSQL is not installed: no initdb on the PATH or in /usr/lib/postgresql')
  return found
}

const SYSTEM_USERS = ['postgres', 'nobody'] as const

/** PostgreSQL refuses to run as root, so root starts it as one of these system users. */
async function unprivileged(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const user = SYSTEM_USERS.flatMap((wanted) => users.filter(([name]) => name === wanted))[0]
  if (!user) throw new Error(`PostgreSQL cannot run as root, and the system has no user ${SYSTEM_USERS.join(' or ')}`)
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

/**
 * A free TCP port below those that the system hands out: no other program takes it before it is used, nor while what used it starts
 * again.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
}
