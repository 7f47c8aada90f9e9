import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'

// The shell becomes the program itself; a watcher beside it ends the program when our end of descriptor 3 closes, which
// the system does for us however we die, kill -9 included.
const tie = 'watch() { cat <&3 >/dev/null; kill $$; }; watch >/dev/null 2>&1 & exec "$0" "$@" 3<&-'

export type TiedOptions = { cwd?: string; env?: NodeJS.ProcessEnv; output: 'pipe' | number }

/** Starts a program that cannot outlive this process, in a process group of its own so that Ctrl-C reaches only us. */
export function spawnTied(command: string, args: string[], { cwd, env = process.env, output }: TiedOptions): ChildProcess {
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

/** The port that a local chain says it listens on. Throws what `whyNot` makes of its words when it ends without saying so. */
export function listening(child: ChildProcess, whyNot: (said: string) => string): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = ''
    const read = (chunk: Buffer): void => {
      said += chunk.toString()
      const port = /Listening on \S+:(\d+)/.exec(said)?.[1]
      if (port === undefined) return
      child.stdout?.off('data', read).resume()
      child.stderr?.off('data', read).resume()
      resolve(Number(port))
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', reject)
    child.once('close', () => reject(new Error(whyNot(said))))
  })
}

/** Asks a child to end, then ends it: SIGTERM, and SIGKILL for its whole group once `patienceMs` have passed. */
export async function stopChild(child: ChildProcess, patienceMs: number): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => killGroup(child), patienceMs)
  await ended
  clearTimeout(timer)
}

/** True once a child has ended, whatever ended it. */
export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
  } catch {
    // It ended between the question and the signal.
  }
}
