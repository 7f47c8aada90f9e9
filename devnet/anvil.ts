import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { listening, spawnTied } from './child'
import type { ChainId } from './networks'

export type AnvilOptions = {
  chainId: ChainId
  port: number
  mining: 'instant' | 'manual' | { everySeconds: number }
  stateFile: string | undefined
}

const architectures: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' }

/** Where the chain's program is; its npm package carries one per platform, and some platforms have none. */
export function anvilBinary(
  platform: NodeJS.Platform = process.platform,
  architecture: NodeJS.Architecture = process.arch,
): string {
  const fromHere = createRequire(import.meta.url)
  // From the wrapper package, whose optional dependency it is, so that any layout of node_modules will do.
  const fromWrapper = createRequire(fromHere.resolve('@foundry-rs/anvil/package.json'))
  const name = `@foundry-rs/anvil-${platform}-${architectures[architecture] ?? architecture}`
  try {
    return fromWrapper.resolve(`${name}/bin/anvil${platform === 'win32' ? '.exe' : ''}`)
  } catch {
    throw new Error(
      `There is no local chain for this machine (${platform} ${architecture}): the npm package ${name} is not installed or does not exist.`,
    )
  }
}

/** Starts anvil and waits until it answers; resolves with the port it really listens on. */
export async function spawnAnvil(options: AnvilOptions): Promise<{ child: ChildProcess; pid: number; port: number }> {
  if (options.stateFile !== undefined) refuseTornState(options.stateFile)
  const child = spawnTied(anvilBinary(), flags(options), { output: 'pipe' })
  const port = await listening(child, (said) => whyNot(said, options))
  if (child.pid === undefined) throw new Error('anvil listens but has no process id')
  return { child, pid: child.pid, port }
}

function flags({ chainId, port, mining, stateFile }: AnvilOptions): string[] {
  return [
    // No account comes with money: who needs some is funded by name.
    ...['--chain-id', String(chainId), '--port', String(port), '--accounts', '0'],
    // Every receipt and block is kept. Of old states a chain on disk keeps none, or hours of it would fill the memory; one
    // that lives for a test keeps enough to be reorganised.
    ...(stateFile === undefined ? ['--prune-history', '64'] : ['--prune-history']),
    ...(mining === 'manual' ? ['--no-mining'] : []),
    ...(typeof mining === 'object' ? ['--block-time', String(mining.everySeconds)] : []),
    ...(stateFile === undefined ? [] : ['--state', stateFile, '--state-interval', '1']),
  ]
}

// Anvil overwrites its state file in place, so a kill at the wrong moment leaves half of one.
function refuseTornState(file: string): void {
  if (!existsSync(file)) return
  try {
    JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new Error(`The chain's state file ${file} is damaged; move it away to start a new chain.`, { cause })
  }
}

function whyNot(said: string, { chainId, port }: AnvilOptions): string {
  if (/address already in use/i.test(said)) {
    return `Port ${port} is taken, so the local chain ${chainId} cannot listen on it; free it or choose another port (0 takes any free one).`
  }
  return `The local chain ${chainId} did not start: ${said.trim().split('\n').slice(-3).join(' ') || 'it ended without a word'}`
}
