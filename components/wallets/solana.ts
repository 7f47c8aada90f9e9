import { networks } from '@/server/x402/networks'
import type { Add, SvmWallet } from './signing-wallet'

type SolanaAccount = { address: string }
type StandardWallet = {
  name: string
  icon: string
  chains: readonly string[]
  features: {
    'standard:connect'?: { connect(): Promise<{ accounts: readonly SolanaAccount[] }> }
    'solana:signMessage'?: {
      signMessage(input: { account: SolanaAccount; message: Uint8Array }): Promise<readonly { signature: Uint8Array }[]>
    }
    'solana:signTransaction'?: {
      signTransaction(input: {
        account: SolanaAccount
        transaction: Uint8Array
        chain: string
      }): Promise<readonly { signedTransaction: Uint8Array }[]>
    }
  }
}

/** Tells of Solana's wallets by the Wallet Standard: they register with the application, before or after it is there. Returns how to stop. */
export function watchSolana(add: Add): () => void {
  const register = (...wallets: StandardWallet[]) => {
    for (const wallet of wallets) if ('solana:signMessage' in wallet.features) add(`solana ${wallet.name}`, solana(wallet))
    return () => {}
  }
  const hear = (event: Event) => (event as CustomEvent<(api: { register: typeof register }) => void>).detail({ register })
  addEventListener('wallet-standard:register-wallet', hear)
  dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: { register } }))
  return () => removeEventListener('wallet-standard:register-wallet', hear)
}

function solana(wallet: StandardWallet): SvmWallet {
  let account: SolanaAccount | undefined
  return {
    family: 'svm',
    name: wallet.name,
    icon: wallet.icon,
    async connect() {
      const connected = await wallet.features['standard:connect']?.connect()
      account = connected?.accounts[0]
      if (!account) throw new Error(`${wallet.name} gave no account`)
      return { address: account.address, chainId: 0 }
    },
    async sign(message) {
      if (!account) throw new Error(`${wallet.name} is not connected`)
      const [signed] =
        (await wallet.features['solana:signMessage']?.signMessage({ account, message: new TextEncoder().encode(message) })) ?? []
      if (!signed) throw new Error(`${wallet.name} did not sign`)
      return `0x${[...signed.signature].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
    },
    async signTransaction(transaction, network) {
      if (!account) throw new Error(`${wallet.name} is not connected`)
      const signs = wallet.features['solana:signTransaction']
      if (!signs) throw new Error(`${wallet.name} signs no transactions without sending them; pay with another wallet`)
      const chain = networks[network].testnet ? 'solana:devnet' : 'solana:mainnet'
      const [signed] = await signs.signTransaction({ account, transaction, chain })
      if (!signed) throw new Error(`${wallet.name} did not sign`)
      return signed.signedTransaction
    },
  }
}
