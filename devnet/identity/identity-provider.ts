import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { spawnTied, stopChild } from '../child'
import type { IdentityOptions } from './options'

export type IdentityProvider = { issuer: string; stop: () => Promise<void> }

const root = join(import.meta.dirname, '..', '..')

/** Starts a local OpenID provider at its issuer's port; it ends with this process at the latest. Throws with what it said when it does not start. */
export async function startIdentityProvider(options: IdentityOptions): Promise<IdentityProvider> {
  const program = join(import.meta.dirname, 'main.ts')
  // In the environment, because arguments are for everybody to see and the key is among them.
  const env = { ...process.env, IDENTITY: JSON.stringify(options) }
  const child = spawnTied(process.execPath, ['--import', 'tsx', program], { cwd: root, env, output: 'pipe' })
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('the local identity provider has no output')
  let said = ''
  stderr.on('data', (piece: Buffer) => {
    said += piece.toString()
  })
  const ended = once(child, 'close').then(() => Promise.reject(new Error(`The local identity provider did not start:\n${said}`)))
  const [line] = await Promise.race([once(createInterface(stdout), 'line'), ended])
  if (!String(line).startsWith('Listening')) throw new Error(`The local identity provider said: ${line}`)
  ended.catch(() => {})
  return { issuer: options.issuer, stop: () => stopChild(child, 5_000) }
}
