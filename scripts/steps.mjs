import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs one set-up step, shows its progress, and throws the end of its log if it fails. Its output goes to a log file.
 * @param {{ doing: string, done: string, log: string, beside?: boolean, undo?: () => void }} words `beside`: other
 * output continues meanwhile; `undo`: cleans up after an interrupted step
 * @param {string} command
 * @param {string[]} args
 */
export async function step({ doing, done, log, beside = false, undo = () => {} }, command, args) {
  const file = join(root, '.data', 'logs', `${log}.log`)
  mkdirSync(join(root, '.data', 'logs'), { recursive: true })
  const started = Date.now()
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`
  const live = process.stdout.isTTY && !beside
  if (!live) console.log(`${doing} ...`)
  const ticker = live ? setInterval(() => process.stdout.write(`\r${doing} ... ${seconds()}`), 200) : undefined
  const { code, output } = await run(command, args, undo)
  clearInterval(ticker)
  if (live) process.stdout.write('\r\x1b[K')
  writeFileSync(file, output)
  if (code === 0) return console.log(`${done} in ${seconds()}`)
  const tail = output.trimEnd().split('\n').slice(-20)
  throw new Error([`${doing} failed. The end of ${file}:`, ...tail.map((line) => `    ${line}`)].join('\n'))
}

/**
 * The command that runs npm: the npm that started us, if any.
 * @param {string[]} args
 * @returns {[string, string[]]}
 */
export function npm(args) {
  const own = process.env.npm_execpath
  return own?.endsWith('.js') || own?.endsWith('.cjs') ? [process.execPath, [own, ...args]] : ['npm', args]
}

/**
 * Runs a script's main function; an error becomes one message and exit code 1.
 * @param {() => Promise<void>} work
 */
export async function main(work) {
  try {
    await work()
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : cause)
    process.exit(1)
  }
}

/**
 * True if the user started this script directly.
 * @param {string} url
 */
export function isStarted(url) {
  return process.argv[1] === fileURLToPath(url)
}

/**
 * The content of a file; empty if it is missing.
 * @param {string} file
 */
export function contentOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {() => void} undo
 * @returns {Promise<{ code: number, output: string }>}
 */
function run(command, args, undo) {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', CHECKPOINT_DISABLE: '1' }
  // Its own process group, so that an interruption also ends its children. A leftover npm would go on writing.
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let interrupted = false
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The process has ended.
    }
  }
  const interrupt = () => {
    interrupted = true
    end()
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, interrupt)
  process.once('exit', end)
  let output = ''
  const keep = (chunk) => {
    output += chunk
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return new Promise((resolve) => {
    child.once('error', (cause) => resolve({ code: 1, output: `${output}${cause.message}` }))
    child.once('close', (code, signal) => {
      process.off('exit', end)
      for (const name of signals) process.off(name, interrupt)
      if (interrupted) {
        undo()
        console.log('\nInterrupted.')
        process.exit(130)
      }
      resolve({ code: code ?? 1, output: signal ? `${output}\nended by ${signal}` : output })
    })
  })
}
