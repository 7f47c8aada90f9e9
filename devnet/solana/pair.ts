import { join } from 'node:path'
import { type RetryOptions, retryUntilAnswered } from '../retry'
import type { WorldRecord } from '../world-folder'
import { type ClusterName, clusters } from './clusters'
import { addressOf } from './keys'
import { type Solana, startSolana } from './solana'

export type SolanaPair = [mainnet: Solana, devnet: Solana]
type PairOptions = { folder: string; ports: { solana: number; solanaDevnet: number } } & RetryOptions

const sol = 1_000_000_000n
const usdc = 1_000_000n

/** Starts both clusters of a world from their state files; `onStart` receives each as soon as it runs. */
export async function startSolanaPair(
  { folder, ports, say, signal }: PairOptions,
  record: WorldRecord,
  onStart: (chain: Solana) => void,
): Promise<SolanaPair> {
  const start = async (cluster: ClusterName, port: number, state: string): Promise<Solana> => {
    const starting = () => startSolana({ cluster, port, stateFile: join(folder, state) })
    const chain = await retryUntilAnswered(`the local ${clusters[cluster].title}`, starting, { say, signal })
    onStart(chain)
    return chain
  }
  const starting = [
    start('mainnet', ports.solana, record.solanaState),
    start('devnet', ports.solanaDevnet, record.solanaDevnetState),
  ] as const
  // Both starts end before a failure is thrown: then the caller stops all that run.
  await Promise.allSettled(starting)
  return Promise.all(starting)
}

/** Refills the fee payers' SOL. */
export async function fundFeePayers(chain: Solana, { keys }: WorldRecord): Promise<void> {
  for (const feePayer of [keys.solanaSigner, keys.solanaProduction].map(addressOf)) {
    if ((await chain.balance(feePayer)) < sol) await chain.airdrop(feePayer, 10n * sol)
  }
}

/** Refills the payer's USDC, and opens token accounts for the merchant and the operator. */
export async function giveSolanaMoney(chain: Solana, { keys }: WorldRecord): Promise<void> {
  const payer = addressOf(keys.solanaPayer)
  if ((await chain.tokens(payer)) < 10n * usdc) await chain.mintTo(payer, 100n * usdc)
  // On Solana a payment does not open the payee's account.
  for (const owner of [keys.solanaMerchant, keys.solanaOperator].map(addressOf)) await chain.openAccount(owner)
}
