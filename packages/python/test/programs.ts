import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { until } from '../../../test/support/until'
import { PYTHON } from './wheel'

/** A server in Python as a process of its own. */
type PythonServer = { url: string; gone: Promise<unknown>; kill: () => Promise<void> }

export const programOf = (file: string) => path.join(import.meta.dirname, file)

/** The environment of a program that imports our package from `site`. */
export function pythonEnv(site: string, more: Record<string, string> = {}) {
  const { PATH = '', HOME = '' } = process.env
  return { PATH, HOME, NODE_ENV: 'test', PYTHONPATH: site, PYTHONDONTWRITEBYTECODE: '1', ...more } as const
}

/** Starts a server of this folder and waits until it listens. */
export async function startPythonServer(file: string, site: string, more: Record<string, string>): Promise<PythonServer> {
  const child = spawn(PYTHON, [programOf(file)], { env: pythonEnv(site, more), stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (piece: Buffer) => {
      output += piece.toString()
    })
  }
  const gone = once(child, 'exit')
  const listens = () => /port \d+/.test(output) || child.exitCode !== null
  await until(listens, 'the server to listen', 100_000).catch((cause: unknown) => {
    child.kill('SIGKILL')
    throw cause
  })
  if (child.exitCode !== null) throw new Error(`the server ended:\n${output}`)
  return {
    url: `http://127.0.0.1:${/port (\d+)/.exec(output)?.[1]}`,
    gone,
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
