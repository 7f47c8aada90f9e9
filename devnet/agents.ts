import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type NetworkName, networks as names } from '../examples/networks'
import { networkRow } from '../server/x402/networks'
import type { DemoWallet } from './playground'

// The last agent of each network.
const keysSchema = z.partialRecord(z.enum(['base-sepolia', 'base', 'solana']), z.string())
const fileIn = (folder: string) => join(folder, 'agents.json')

/** The name of an agent's wallet on the sign-in page of its demo. */
export const agentName = (network: NetworkName): string => `Agent on ${networkRow(names[network].id).title}`

/** Keeps the key of an agent in a world's folder, readable by its owner alone: the world's sign-in page offers the wallet. */
export function keepAgent(folder: string, network: NetworkName, key: string): void {
  const file = fileIn(folder)
  writeFileSync(`${file}.new`, JSON.stringify({ ...readKeys(folder), [network]: key }), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** The wallets of the last agent on each network. */
export function agentWallets(folder: string): DemoWallet[] {
  const keys = readKeys(folder)
  return keysSchema.keyType.options.flatMap((network) => {
    const key = keys[network]
    return key === undefined ? [] : [{ network: names[network].id, name: agentName(network), key }]
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
