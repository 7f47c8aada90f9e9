import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { bundled } from './bundle'
import { hasEnded, spawnTied, stopChild } from './child'

type ServiceOptions = {
  baseUrl: string
  mode: 'production' | 'development'
  /** The service's environment. Of ours it gets only the variables that any program needs. */
  env: Record<string, string>
  /** If unset, the service prints to our standard output. */
  logFile: string | undefined
  entry: string
  signal: AbortSignal | undefined
}

export type Service = {
  /** Resolves with the reason if the service ends. */
  ended: Promise<string>
  stop: () => Promise<void>
}

const root = join(import.meta.dirname, '..')
const startupMs = 90_000
const drainMs = 6_000
const inherited = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'SystemRoot',
  'LANG',
  'TZ',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'LOG_LEVEL',
]

/** Keeps Next's worker processes from telling Next, which does not understand it, what they load: the watcher asks every process. */
const UNREPORTED = 'data:text/javascript,delete process.env.WATCH_REPORT_DEPENDENCIES'

/** Starts the facilitator as a process and waits until it takes payments. Throws the end of its log when it does not. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { baseUrl, mode, logFile, entry, signal } = options
  const own = Object.fromEntries(
    inherited.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
  const env = { ...own, ...options.env, NODE_ENV: mode, NEXT_TELEMETRY_DISABLED: '1', CHECKPOINT_DISABLE: '1' }
  // Watching by module would restart the service at each page that Next compiles.
  const watching = ['--import', UNREPORTED, '--import', 'tsx', '--watch-path=server', '--watch-preserve-output', entry]
  const program = mode === 'development' ? watching : [await bundled(join(root, entry))]
  const args = [...program, '--pages-later']
  const log = logFile === undefined ? undefined : openSync(logFile, 'a')
  const child = spawnTied(process.execPath, args, { cwd: root, env, output: log ?? process.stdout.fd })
  if (log !== undefined) closeSync(log)
  const ended = once(child, 'exit').then(([code, killer]) => `The service ended (${killer ?? `code ${code}`}).${tail(logFile)}`)
  const stop = (): Promise<void> => stopChild(child, drainMs)
  let missing = ''
  const isReady = async () => {
    missing = await missingAt(baseUrl)
    return missing === ''
  }
  try {
    await until(isReady, () => hasEnded(child), signal)
  } catch (cause) {
    const reason = hasEnded(child) ? await ended : `The service did not get ready: ${missing}.${tail(logFile)}`
    await stop()
    throw signal?.aborted ? cause : new Error(reason, { cause })
  }
  return { ended, stop }
}

async function until(holds: () => Promise<boolean>, hasGone: () => boolean, signal: AbortSignal | undefined): Promise<void> {
  const deadline = Date.now() + startupMs
  for (;;) {
    signal?.throwIfAborted()
    if (hasGone()) throw new Error('gone')
    if (await holds()) return
    if (Date.now() > deadline) throw new Error('too late')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** The parts that are not ready, in the service's words; empty when it takes payments. */
async function missingAt(baseUrl: string): Promise<string> {
  try {
    const answer = await fetch(`${baseUrl}/health?ready=1`, { signal: AbortSignal.timeout(5_000) })
    if (answer.ok) return ''
    const { parts } = Readiness.parse(await answer.json())
    return parts.flatMap(({ part, message, ready, required }) => (required && !ready ? [`${part} ${message}`] : [])).join(', ')
  } catch {
    return 'it does not answer'
  }
}

const Readiness = z.object({
  parts: z.array(z.object({ part: z.string(), ready: z.boolean(), required: z.boolean(), message: z.string() })),
})

function tail(logFile: string | undefined): string {
  if (logFile === undefined) return ''
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-15)
  return ` The end of ${logFile}:\n${lines.map((line) => `    ${line}`).join('\n')}`
}
