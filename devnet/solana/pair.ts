import { join } from 'node:path'
import type { WorldRecord } from '../world-folder'
import type { ClusterName } from './clusters'
import { addressOf } from './keys'
import { type Solana, startSolana } from './solana'

export type SolanaPair = [mainnet: Solana, devnet: Solana]
export type PairOptions = { folder: string; ports: { solana: number; solanaDevnet: number } }

const sol = 1_000_000_000n
const usdc = 1_000_000n

/** Starts both clusters of a world where they stopped; each is handed over as soon as it runs, whatever becomes of the other. */
export async function startSolanaPair(
  { folder, ports }: PairOptions,
  record: WorldRecord,
  onStart: (chain: Solana) => void,
): Promise<SolanaPair> {
  const start = async (cluster: ClusterName, port: number, state: string): Promise<Solana> => {
    const chain = await startSolana({ cluster, port, stateFile: join(folder, state) })
    onStart(chain)
    return chain
  }
  const starting = [
    start('mainnet', ports.solana, record.solanaState),
    start('devnet', ports.solanaDevnet, record.solanaDevnetState),
  ] as const
  // Both have an end before either's failure is told: what is stopped then is all there is.
  await Promise.allSettled(starting)
  return Promise.all(starting)
}

/** Gives the fee payers SOL and the payer USDC where they run low, and the merchant and the house accounts to be paid on. */
export async function giveSolanaMoney(chain: Solana, { keys }: WorldRecord): Promise<void> {
  for (const feePayer of [keys.solanaSigner, keys.solanaProduction].map(addressOf)) {
    if ((await chain.balance(feePayer)) < sol) await chain.airdrop(feePayer, 10n * sol)
  }
  const payer = addressOf(keys.solanaPayer)
  if ((await chain.tokens(payer)) < 10n * usdc) await chain.mintTo(payer, 100n * usdc)
  // A payment needs it, and on Solana it is not the payment that opens it.
  for (const owner of [keys.solanaMerchant, keys.solanaHouse].map(addressOf)) await chain.openAccount(owner)
}
