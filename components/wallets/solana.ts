import {
  SolanaSignMessage,
  type SolanaSignMessageFeature,
  SolanaSignTransaction,
  type SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features'
import { getWallets } from '@wallet-standard/app'
import type { Wallet, WalletAccount, WalletWithFeatures } from '@wallet-standard/base'
import { StandardConnect, type StandardConnectFeature } from '@wallet-standard/features'
import { networks } from '@/server/x402/networks'
import type { Add, SvmWallet } from './signing-wallet'

/** A wallet that can sign in here. Some cannot sign a transaction without sending it. */
type SolanaWallet = WalletWithFeatures<StandardConnectFeature & SolanaSignMessageFeature & Partial<SolanaSignTransactionFeature>>

/** Reports Solana wallets that register by the Wallet Standard, before or after the page. Returns how to stop. */
export function watchSolana(add: Add): () => void {
  const report = (...wallets: readonly Wallet[]) => {
    for (const wallet of wallets) if (isSolana(wallet)) add(`solana ${wallet.name}`, solana(wallet))
  }
  const { get, on } = getWallets()
  report(...get())
  return on('register', report)
}

function isSolana(wallet: Wallet): wallet is SolanaWallet {
  return StandardConnect in wallet.features && SolanaSignMessage in wallet.features
}

function solana(wallet: SolanaWallet): SvmWallet {
  let account: WalletAccount | undefined
  return {
    family: 'svm',
    name: wallet.name,
    icon: wallet.icon,
    async connect() {
      const connected = await wallet.features[StandardConnect].connect()
      account = connected.accounts[0]
      if (!account) throw new Error(`${wallet.name} shared no account`)
      return { address: account.address, chainId: 0 }
    },
    async sign(message) {
      if (!account) throw new Error(`${wallet.name} is not connected`)
      const input = { account, message: new TextEncoder().encode(message) }
      const [signed] = await wallet.features[SolanaSignMessage].signMessage(input)
      if (!signed) throw new Error(`${wallet.name} did not sign`)
      return `0x${[...signed.signature].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
    },
    async signTransaction(transaction, network) {
      if (!account) throw new Error(`${wallet.name} is not connected`)
      const feature = wallet.features[SolanaSignTransaction]
      if (!feature) throw new Error(`${wallet.name} cannot sign a transaction without sending it; pay with another wallet`)
      const chain = networks[network].testnet ? 'solana:devnet' : 'solana:mainnet'
      const [signed] = await feature.signTransaction({ account, transaction, chain })
      if (!signed) throw new Error(`${wallet.name} did not sign`)
      return signed.signedTransaction
    },
  }
}
