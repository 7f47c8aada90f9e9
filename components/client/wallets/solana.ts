import {
  SolanaSignMessage,
  type SolanaSignMessageFeature,
  SolanaSignTransaction,
  type SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features'
import { getWallets } from '@wallet-standard/app'
import type { Wallet, WalletAccount, WalletWithFeatures } from '@wallet-standard/base'
import {
  StandardConnect,
  type StandardConnectFeature,
  StandardEvents,
  type StandardEventsFeature,
} from '@wallet-standard/features'
import { bytesToHex } from 'viem'
import { networkRow } from '@/server/x402/networks/networks'
import { browserStorage } from './browser-storage'
import type { SvmWallet } from './signing-wallet'

/** A wallet that can sign in here. Some cannot sign a transaction without sending it, and some report no changes. */
type SolanaWallet = WalletWithFeatures<
  StandardConnectFeature & SolanaSignMessageFeature & Partial<SolanaSignTransactionFeature & StandardEventsFeature>
>

/** A wallet's account, as it is now. */
type Shared = { get: () => WalletAccount | undefined; set: (account: WalletAccount | undefined) => void }

/**
 * Reports the Solana wallets that register by the Wallet Standard, before or after the page, each time one or its account changes.
 * Reconnects the wallet of the last visit without a prompt. Returns how to stop.
 */
export function watchSolana(report: (wallets: SvmWallet[]) => void): () => void {
  const found = new Map<SolanaWallet, WalletAccount | undefined>()
  const stops: (() => void)[] = []
  const sharedBy = (wallet: SolanaWallet): Shared => ({
    get: () => found.get(wallet),
    set(account) {
      found.set(wallet, account)
      publish()
    },
  })
  const publish = () => report([...found.keys()].map((wallet) => solana(wallet, sharedBy(wallet))))
  function add(...wallets: readonly Wallet[]): void {
    for (const wallet of wallets.filter(isSolana)) {
      found.set(wallet, undefined)
      const shared = sharedBy(wallet)
      const events = wallet.features[StandardEvents]
      if (events) stops.push(events.on('change', ({ accounts }) => (accounts ? shared.set(accounts[0]) : undefined)))
      if (lastSolanaWallet.get() === wallet.name) void reconnect(wallet, shared)
    }
    publish()
  }
  const { get, on } = getWallets()
  stops.push(on('register', add))
  add(...get())
  return () => {
    for (const stop of stops) stop()
  }
}

function isSolana(wallet: Wallet): wallet is SolanaWallet {
  return StandardConnect in wallet.features && SolanaSignMessage in wallet.features
}

async function reconnect(wallet: SolanaWallet, shared: Shared): Promise<void> {
  // A wallet that no longer trusts this page refuses, and stays disconnected.
  const connected = await wallet.features[StandardConnect].connect({ silent: true }).catch(() => null)
  if (connected?.accounts[0]) shared.set(connected.accounts[0])
}

function solana(wallet: SolanaWallet, shared: Shared): SvmWallet {
  function accountOf(address?: string): WalletAccount {
    const account = shared.get()
    if (!account) throw new Error(`${wallet.name} is not connected`)
    if (address !== undefined && account.address !== address) throw new Error(`${wallet.name} changed its account. Try again.`)
    return account
  }
  const current = shared.get()
  return {
    family: 'svm',
    id: `solana ${wallet.name}`,
    name: wallet.name,
    icon: wallet.icon,
    account: current ? { address: current.address, chain: null } : null,
    async connect() {
      // Without events the account may have changed unseen.
      const known = StandardEvents in wallet.features ? shared.get() : undefined
      if (known) return { address: known.address, chainId: 0 }
      const connected = await wallet.features[StandardConnect].connect()
      const [account] = connected.accounts
      if (!account) throw new Error(`${wallet.name} shares no account. Unlock it and try again.`)
      shared.set(account)
      lastSolanaWallet.set(wallet.name)
      return { address: account.address, chainId: 0 }
    },
    async sign(message, address) {
      const input = { account: accountOf(address), message: new TextEncoder().encode(message) }
      const [signed] = await wallet.features[SolanaSignMessage].signMessage(input)
      if (!signed) throw new Error(`${wallet.name} did not sign`)
      return bytesToHex(signed.signature)
    },
    async signTransaction(transaction, network) {
      const feature = wallet.features[SolanaSignTransaction]
      if (!feature) throw new Error(`${wallet.name} cannot sign a transaction without sending it; pay with another wallet`)
      const chain = networkRow(network).testnet ? 'solana:devnet' : 'solana:mainnet'
      const [signed] = await feature.signTransaction({ account: accountOf(), transaction, chain })
      if (!signed) throw new Error(`${wallet.name} did not sign`)
      return signed.signedTransaction
    },
  }
}

const LAST = 'quittance.solana-wallet'

/** The name of the last connected Solana wallet. A browser that blocks storage remembers none. */
const lastSolanaWallet = {
  get: (): string | null => browserStorage()?.getItem(LAST) ?? null,
  set: (name: string): void => browserStorage()?.setItem(LAST, name),
}
