import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { bundled } from '../../devnet/bundle'
import { needs } from '../../devnet/test-kind'
import type { StreamSettings } from './stream-merchant'

/** A merchant's process; `url` is what it sells. */
export type StreamMerchant = { url: string; isUp: () => boolean; gone: Promise<unknown>; kill: () => Promise<void> }

const PROGRAM = path.join(import.meta.dirname, 'stream-merchant.ts')

/** Starts a merchant's server and waits until it listens. Throws its output if it ends before. */
export async function startStreamMerchant(settings: StreamSettings): Promise<StreamMerchant> {
  needs('process')
  const { PATH = '', HOME = '' } = process.env
  const child = fork(await bundled(PROGRAM), {
    env: { PATH, HOME, NODE_ENV: 'test', STREAM_MERCHANT: JSON.stringify(settings) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let trouble = ''
  child.stderr?.on('data', (piece: Uint8Array) => {
    trouble += piece.toString()
  })
  const gone = once(child, 'exit')
  const ended = gone.then(() => Promise.reject(new Error(`the merchant ended:\n${trouble}`)))
  const said = new Promise<{ url: string }>(
    (resolve) => void child.once('message', (message: { url: string }) => resolve(message)),
  )
  const { url } = await Promise.race([said, ended])
  return {
    url,
    isUp: () => child.exitCode === null && child.signalCode === null,
    gone,
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
