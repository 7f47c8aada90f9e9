import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { bundled } from '../devnet/bundle'
import type { Profile } from './profile'
import type { RpcCount } from './rpc-count'

/** A facilitator process's first message, once it takes payments: its URL, one per API key. */
export type Started = { urls: string[] }

/** A facilitator process's resource use since its start; event-loop delays, in milliseconds, are since the last call. */
export type Usage = {
  cpuMs: number
  memory: NodeJS.MemoryUsage
  delay: { p99: number; max: number }
} & RpcCount

/** A facilitator in its own process. */
export type Child = {
  pid: number
  /** One per API key: requests take them in turn. */
  urls: string[]
  usage: () => Promise<Usage>
  profile: () => void
  endProfile: () => Promise<Profile>
  stop: () => Promise<void>
}

/** Starts a facilitator and resolves when it takes payments. Throws when it ends first. */
export async function startChild(env: Record<string, string>): Promise<Child> {
  const { PATH = '', HOME = '' } = process.env
  // A bundle, as `npm run build` makes one.
  const child = fork(await bundled(path.join(import.meta.dirname, 'facilitator.ts')), {
    // As `npm start` runs ours. Without the TypeScript loader of this process.
    execArgv: env.FACILITATOR === 'ours' ? ['--heap-growing-percent=50'] : [],
    env: { NODE_ENV: 'production', PATH, HOME, ...env },
    // Their log lines are not needed.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('a facilitator ended before it took payments')))
  const [started]: Started[] = await Promise.race([once(child, 'message'), ended])
  ended.catch(() => {})
  const { pid } = child
  if (!started || pid === undefined) throw new Error('a facilitator sent no URLs')
  return {
    pid,
    urls: started.urls,
    async usage() {
      child.send('usage')
      const [usage]: Usage[] = await once(child, 'message')
      if (!usage) throw new Error('a facilitator sent no usage')
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
