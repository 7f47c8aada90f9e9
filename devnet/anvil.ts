import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { listening, spawnTied } from './child'

type AnvilOptions = {
  chainId: number
  port: number
  mining: 'instant' | 'manual' | { everySeconds: number }
  stateFile: string | undefined
}

const architectures: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' }

/** The path of anvil for a platform. Throws for a platform without an npm package of anvil. */
export function anvilBinary(
  platform: NodeJS.Platform = process.platform,
  architecture: NodeJS.Architecture = process.arch,
): string {
  const fromHere = createRequire(import.meta.url)
  // Resolved from the wrapper package, whose optional dependency it is: that works in any layout of node_modules.
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

/** Starts anvil and waits until it listens; resolves with its real port. */
export async function spawnAnvil(options: AnvilOptions): Promise<{ child: ChildProcess; pid: number; port: number }> {
  if (options.stateFile !== undefined) refuseTornState(options.stateFile)
  const child = spawnTied(anvilBinary(), flags(options), { output: 'pipe' })
  const port = await listening(child, (output) => whyNot(output, options))
  if (child.pid === undefined) throw new Error('anvil listens but has no process id')
  return { child, pid: child.pid, port }
}

function flags({ chainId, port, mining, stateFile }: AnvilOptions): string[] {
  return [
    // No account starts with money: the demo and the tests fund each account by address.
    '--chain-id',
    String(chainId),
    '--port',
    String(port),
    '--accounts',
    '0',
    // Receipts and blocks are always kept. A chain on disk keeps no old states, because hours of them would fill the memory.
    // A chain in a test keeps enough of them for a reorganisation.
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

function whyNot(output: string, { chainId, port }: AnvilOptions): string {
  if (/address already in use/i.test(output)) {
    return `Port ${port} is taken, so the local chain ${chainId} cannot listen on it; free it or choose another port (0 takes any free one).`
  }
  return `The local chain ${chainId} did not start: ${output.trim().split('\n').slice(-3).join(' ') || 'it printed nothing'}`
}
