import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { needs } from '../../../devnet/test-kind'
import { freePort } from './postgres'

/** A temporary Redis server with a password and without persistence. */
export type RedisServer = {
  /** Its URL, with the password. */
  url: string
  password: string
  /** Pauses it: connections stay open without answers. */
  freeze(): void
  thaw(): void
  /** Kills it, frozen or not. Call it at the end too. */
  kill(): Promise<void>
  /** Starts it again after `kill`, on the same port. */
  start(): Promise<void>
}

/** Starts a Redis server on a free port. Throws without a redis-server program. */
export async function startRedis(): Promise<RedisServer> {
  needs('db')
  const port = await freePort()
  const password = 'correct-horse'
  let running = await run(port, password)
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    password,
    freeze: () => void running.server.kill('SIGSTOP'),
    thaw: () => void running.server.kill('SIGCONT'),
    kill: () => running.kill(),
    async start() {
      running = await run(port, password)
    },
  }
}

type Running = { server: ChildProcess; kill(): Promise<void> }

async function run(port: number, password: string): Promise<Running> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quittance-redis-'))
  const address = ['--bind', '127.0.0.1', '--port', String(port), '--requirepass', password]
  const server = spawn('redis-server', [...address, '--save', '', '--appendonly', 'no', '--dir', folder], {
    cwd: folder,
    // Detached, so that Ctrl-C does not reach it.
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await accepting(server)
  const sweep = standBy(server, folder)
  return {
    server,
    async kill() {
      const gone = server.exitCode === null && server.signalCode === null ? once(server, 'exit') : undefined
      sweep()
      await gone
    },
  }
}

function accepting(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    server.once('error', (cause) => reject(new Error('redis-server cannot be started', { cause })))
    server.once('exit', () => reject(new Error(`redis-server did not start: ${said}`)))
    server.stdout?.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-4_000)
      if (said.includes('Ready to accept connections')) resolve()
    })
  })
}

/** Starts a process that cleans up even if we are killed; the returned function cleans up now. */
function standBy(server: ChildProcess, folder: string): () => void {
  const script = 'cat >/dev/null; kill -9 "$0"; rm -rf "$1"'
  const sweeper = spawn('sh', ['-c', script, String(server.pid), folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  sweeper.unref()
  return () => void sweeper.stdin.end()
}
