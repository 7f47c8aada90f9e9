import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type NetworkName, networks as names } from '../examples/networks'
import { networkRow } from '../server/x402/networks/networks'
import type { DemoWallet } from './playground'

// The last agent of each network, and that of the sample history.
const keysSchema = z.partialRecord(z.enum(['base-sepolia', 'base', 'solana', 'sample']), z.string())
type AgentKind = NetworkName | 'sample'
const fileIn = (folder: string) => join(folder, 'agents.json')

/** The name of an agent's wallet on the sign-in page of its demo. */
export const agentName = (agent: AgentKind): string =>
  agent === 'sample' ? 'Sample agent' : `Agent on ${networkRow(names[agent].id).title}`

/** Keeps the key of an agent in a world's folder, readable by its owner alone: the world's sign-in page offers the wallet. */
export function keepAgent(folder: string, agent: AgentKind, key: string): void {
  writeKeys(folder, { ...readKeys(folder), [agent]: key })
}

/** Forgets the agent of the sample history. */
export function forgetSampleAgent(folder: string): void {
  const { sample, ...others } = readKeys(folder)
  if (sample !== undefined) writeKeys(folder, others)
}

function writeKeys(folder: string, keys: z.infer<typeof keysSchema>): void {
  const file = fileIn(folder)
  writeFileSync(`${file}.new`, JSON.stringify(keys), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** The wallets of the last agent on each network, and that of the sample history. */
export function agentWallets(folder: string): DemoWallet[] {
  const keys = readKeys(folder)
  return keysSchema.keyType.options.flatMap((agent) => {
    const key = keys[agent]
    return key === undefined ? [] : [{ network: names[agent === 'sample' ? 'base' : agent].id, name: agentName(agent), key }]
  })
}

// Without agents there is no file yet.
function readKeys(folder: string): z.infer<typeof keysSchema> {
  try {
    return keysSchema.parse(JSON.parse(readFileSync(fileIn(folder), 'utf8')))
  } catch {
    return {}
  }
}
