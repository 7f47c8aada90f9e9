import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Profile } from './profile'
import type { RpcCount } from './rpc-count'

/** What a facilitator's process says once it can be asked. */
export type Started = { url: string }

/** What a facilitator's process has used so far; delays of its event loop are milliseconds since the last time. */
export type Usage = {
  cpu: NodeJS.CpuUsage
  memory: NodeJS.MemoryUsage
  delay: { p99: number; max: number }
} & RpcCount

/** A facilitator in a process of its own. */
export type Child = {
  url: string
  usage: () => Promise<Usage>
  profile: () => void
  endProfile: () => Promise<Profile>
  stop: () => Promise<void>
}

/** Starts a facilitator; resolves when it takes payments. Throws when it ends before that. */
export async function startChild(env: Record<string, string>): Promise<Child> {
  const { PATH = '', HOME = '' } = process.env
  const child = fork(path.join(import.meta.dirname, 'facilitator.ts'), {
    env: { NODE_ENV: 'production', PATH, HOME, ...env },
    execArgv: ['--import', 'tsx'],
    // Both write their log lines; nobody reads them.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('a facilitator ended before it had started')))
  const [started]: Started[] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => {})
  if (!started) throw new Error('a facilitator did not say where it is')
  return {
    url: started.url,
    async usage() {
      child.send('usage')
      const [usage]: Usage[] = await once(child, 'message')
      if (!usage) throw new Error('a facilitator did not say what it used')
      return usage
    },
    profile: () => void child.send('profile'),
    async endProfile() {
      child.send('end profile')
      const [profile]: Profile[] = await once(child, 'message')
      return profile ?? []
    },
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
