import { once } from 'node:events'
import path from 'node:path'
import { bundled } from '../../../devnet/bundle'
import { spawnTied } from '../../../devnet/child'
import { needs } from '../../../devnet/test-kind'
import { freePort } from '../database/postgres'
import { keepOutput, keepSecrets } from '../logs'
import { until } from '../until'
import type { ServiceProcess } from './process'

const AUTH_SECRET = 'the-auth-secret-of-the-tests-0123456789'
const PROGRAM = path.join(import.meta.dirname, '..', '..', '..', 'server', 'main.ts')

/** The service's real program as a process. `gone` resolves with its exit code; `log` returns its standard output. */
export type MainProcess = Pick<ServiceProcess, 'url' | 'kill' | 'output'> & { gone: Promise<number | null>; log: () => string }

/** A built service in another folder. */
type Built = { program: string; cwd: string }

/** Starts the program as in production, without pages, and waits until its output contains `awaited`. `built`: instead of this one. */
export async function startMainProcess(
  env: Record<string, string>,
  awaited = '"msg":"ready"',
  built?: Built,
): Promise<MainProcess> {
  needs('process')
  const { PATH = '', HOME = '' } = process.env
  keepSecrets(env)
  const port = await freePort()
  const child = spawnTied(process.execPath, [built?.program ?? (await bundled(PROGRAM)), '--pages-later'], {
    cwd: built?.cwd ?? path.join(import.meta.dirname, '..', '..', '..'),
    env: {
      PATH,
      HOME,
      PORT: String(port),
      TRUSTED_PROXY_HOPS: '1',
      NODE_ENV: 'production',
      AUTH_SECRET,
      LOG_LEVEL: 'trace',
      ...env,
    },
    output: 'pipe',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (piece: Uint8Array) => {
      output += piece.toString()
    })
  }
  let log = ''
  child.stdout?.on('data', (piece: Uint8Array) => {
    log += piece.toString()
  })
  keepOutput(child.stdout, `main-${child.pid}-out`)
  keepOutput(child.stderr, `main-${child.pid}-err`)
  const gone = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null)
  const started = until(() => output.includes(awaited), `the service to say ${awaited}`, 60_000)
  try {
    await Promise.race([started, gone.then(() => Promise.reject(new Error(`the service ended:\n${output}`)))])
  } catch (cause) {
    child.kill('SIGKILL')
    throw cause
  }
  return {
    url: `http://127.0.0.1:${port}`,
    gone,
    async kill(signal) {
      child.kill(signal)
      await gone
    },
    output: () => output,
    log: () => log,
  }
}
