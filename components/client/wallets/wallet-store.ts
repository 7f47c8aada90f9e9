import type { SigningWallet } from './signing-wallet'

/** The wallets of this page. `wallets` is null until the first search ends. */
export type Wallets = { wallets: SigningWallet[] | null; failed: boolean }

/** Where wallets come from apart from this browser: WalletConnect, with a project id, and a local demo's sample merchant. */
export type WalletSources = { projectId: string | null; playgroundUrl: string | null }

const NONE: Wallets = { wallets: null, failed: false }

let known = NONE
const listeners = new Set<() => void>()

/** The wallets of this page, for any component. One `WalletHost` per page finds them. */
export const walletStore = {
  get: (): Wallets => known,
  getOnServer: (): Wallets => NONE,
  set(wallets: Wallets): void {
    known = wallets
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
