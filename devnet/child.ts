import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { needs } from './test-kind'

// The shell becomes the program itself. A watcher beside it ends the program when our end of descriptor 3 closes, and the
// system closes it whenever our process ends, after kill -9 too.
const tie = 'watch() { cat <&3 >/dev/null; kill $$; }; watch >/dev/null 2>&1 & exec "$0" "$@" 3<&-'

type TiedOptions = { cwd?: string; env?: NodeJS.ProcessEnv; output: 'pipe' | number }

/** Starts a program that cannot outlive this process, in a process group of its own so that Ctrl-C reaches only us. */
export function spawnTied(command: string, args: string[], { cwd, env = process.env, output }: TiedOptions): ChildProcess {
  needs('chain')
  if (process.platform === 'win32') {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', output, output] })
    process.once('exit', () => child.kill())
    return child
  }
  const stdio: StdioOptions = ['ignore', output, output, 'pipe']
  const child = spawn('/bin/sh', ['-c', tie, command, ...args], { cwd, env, stdio, detached: true })
  child.once('exit', () => child.stdio[3]?.destroy())
  return child
}

const listenMs = 120_000

/** The port that a local chain prints. Throws `whyNot` of its output when it ends first or prints none within two minutes. */
export function listening(child: ChildProcess, whyNot: (output: string) => string): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = setTimeout(() => killGroup(child), listenMs)
    const read = (chunk: Buffer): void => {
      output += chunk.toString()
      const port = /Listening on \S+:(\d+)/.exec(output)?.[1]
      if (port === undefined) return
      clearTimeout(timer)
      child.stdout?.off('data', read).resume()
      child.stderr?.off('data', read).resume()
      resolve(Number(port))
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', reject)
    child.once('close', () => {
      clearTimeout(timer)
      reject(new Error(whyNot(output)))
    })
  })
}

/** Stops a child: SIGTERM, and SIGKILL for its whole group after `graceMs`. */
export async function stopChild(child: ChildProcess, graceMs: number): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => killGroup(child), graceMs)
  await ended
  clearTimeout(timer)
}

/** True once a child has ended, by itself or by a signal. */
export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
  } catch {
    // It ended before the signal came.
  }
}
