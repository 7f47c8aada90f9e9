import { browserStorage } from './browser-storage'

const KEY = 'quittance.solana-wallet'

/** The name of the last connected Solana wallet. A browser that blocks storage remembers none. */
export const lastSolanaWallet = {
  get: (): string | null => browserStorage()?.getItem(KEY) ?? null,
  set: (name: string): void => browserStorage()?.setItem(KEY, name),
}
