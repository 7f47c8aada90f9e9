import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { merchantPrograms } from '../../../components/client/programs/merchants'
import { hasEnded, spawnTied, stopChild } from '../../../devnet/child'
import { settledPort } from '../../../devnet/free-ports'
import { ROOT } from '../source-files'
import { until } from '../until'

/** A running merchant program of the documentation; `url` is its paid route. */
type RunningMerchant = { url: string; close: () => Promise<void> }

type MerchantProgram = (typeof merchantPrograms)[number]['name']

/** How to run a program. Its files are below `folder`, which is deleted at the end. */
type Way = (text: string, port: string) => { command: string; args: string[]; cwd: string; folder?: string; ready: RegExp }

const NEXT = path.join(ROOT, 'node_modules', 'next', 'dist', 'bin', 'next')

const module = (text: string): string[] => ['--input-type=module', '-e', text]
const asModule: Way = (text) => ({ command: process.execPath, args: module(text), cwd: ROOT, ready: /Selling/ })

const ways: Record<MerchantProgram, Way> = {
  Express: asModule,
  Hono: asModule,
  'Next.js': (text, port) => {
    const folder = newFolder()
    write(path.join(folder, 'app', 'weather', 'route.ts'), text)
    write(path.join(folder, 'app', 'layout.jsx'), 'export default ({ children }) => <html><body>{children}</body></html>')
    write(path.join(folder, 'next.config.mjs'), 'export default {}')
    return { command: process.execPath, args: [NEXT, 'dev', '--port', port], cwd: folder, folder, ready: /Ready in/ }
  },
  Python: (text) => ({ command: 'python3', args: ['-c', text], cwd: ROOT, ready: /Selling/ }),
}

/** A folder whose packages a program imports instead of ours, and more of its environment. */
type Place = { packages?: string; env?: Record<string, string> }

/** Runs a merchant program in a clean environment until it listens. Throws its output when it ends first. */
export async function openMerchant(name: MerchantProgram, text: string, place: Place = {}): Promise<RunningMerchant> {
  const port = await settledPort(0)
  const { ready, folder, command, args, cwd } = ways[name](text, String(port))
  const env = { ...bareEnv(), ...place.env, PORT: String(port) }
  const child = spawnTied(command, args, { cwd: place.packages ?? cwd, env, output: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (piece: Uint8Array) => {
      output += piece.toString()
    })
  }
  await until(() => ready.test(output) || hasEnded(child), `${name} to say ${ready}`, 60_000)
  if (hasEnded(child)) throw new Error(`${name} ended:\n${output}`)
  return {
    url: `http://localhost:${port}/weather`,
    async close() {
      await stopChild(child, 5_000)
      if (folder) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs a Node program to its end; resolves with its output. */
export async function runModule(text: string, env: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, module(text), { cwd: ROOT, env: { ...bareEnv(), ...env } })
  return stdout
}

/** Runs shell commands up to the first failure; resolves with their output. */
export async function runCommands(text: string, env: Record<string, string>): Promise<string> {
  const folder = newFolder()
  try {
    const args = ['-euo', 'pipefail', '-c', text]
    const { stdout } = await promisify(execFile)('bash', args, { cwd: folder, env: { ...bareEnv(), ...env } })
    return stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whether a command is on the PATH. */
export const isInstalled = (command: string): boolean =>
  (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, command)))

// Without our test variables, as on a new user's machine.
function bareEnv(): NodeJS.ProcessEnv {
  const { PATH = '', HOME = '' } = process.env
  return { PATH, HOME, NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' }
}

// Inside the repository, so that programs find their packages, but outside the source folders.
function newFolder(): string {
  mkdirSync(path.join(ROOT, '.data'), { recursive: true })
  return mkdtempSync(path.join(ROOT, '.data', 'shown-'))
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}
