import { createHash } from 'node:crypto'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { lockFolder } from './folder-lock'

/** Options of `connect`: all clients share one session, so more connections would only queue, and may wait longer. */
export const EMBEDDED_LIMITS = { poolMax: 5, waitMs: 5_000 }

const MAX_CONNECTIONS = 20
const MAX_SOCKET_PATH = 100

/** The embedded database while it is open. */
type Embedded = { url: string; close(): Promise<void> }

type Options = { warn?: (message: string) => void }

/** Opens PostgreSQL inside this process with its data in `dataDir`, for one process at a time. Clients connect by `url`. */
export async function openEmbedded(dataDir: string, { warn = console.warn }: Options = {}): Promise<Embedded> {
  const folder = path.resolve(dataDir)
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o700)
  const lock = await lockFolder(folder)
  const sockets = socketFolder(folder)
  const tidy = async () => {
    await rm(sockets, { recursive: true, force: true })
    await lock.release()
  }
  try {
    await rm(sockets, { recursive: true, force: true }) // Left by a killed process: the lock proves that it is gone.
    await mkdir(sockets, { mode: 0o700 })
    const worker = await startWorker(path.join(folder, 'postgres'), path.join(sockets, '.s.PGSQL.5432'))
    warn(
      `embedded database in ${folder}: it does not fsync, so a power failure can lose payments; use DATABASE_URL for real money`,
    )
    let closing = false
    // Without its database the process is useless: it must not look healthy.
    worker.on('exit', (code) => {
      if (!closing) throw new Error(`the embedded database stopped with code ${code}`)
    })
    return {
      url: `postgresql://postgres@localhost:5432/postgres?host=${encodeURIComponent(sockets)}`,
      async close() {
        closing = true
        await stopWorker(worker)
        await tidy()
      },
    }
  } catch (cause) {
    await tidy()
    throw new Error(`cannot open the embedded database in ${folder}`, { cause })
  }
}

// Not inside the data folder, whose path may exceed the system's limit for sockets, about 107 bytes.
function socketFolder(folder: string): string {
  const name = `quittance-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`
  return path.join(tmpdir().length + `/${name}/.s.PGSQL.5432`.length <= MAX_SOCKET_PATH ? tmpdir() : '/tmp', name)
}

function startWorker(folder: string, socket: string): Promise<Worker> {
  const workerData = { folder, socket, maxConnections: MAX_CONNECTIONS }
  // No inherited loader: the worker is plain JavaScript and starts faster without.
  const worker = new Worker(new URL('./embedded-worker.mjs', import.meta.url), { workerData, execArgv: [] })
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`worker stopped with code ${code}`)))
    worker.once('message', () => {
      worker.removeAllListeners()
      resolve(worker)
    })
  })
}

function stopWorker(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    if (worker.threadId === -1) return resolve()
    worker.once('exit', () => resolve())
    worker.postMessage('close')
  })
}
