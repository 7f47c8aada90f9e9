import type { SvmNetworkId } from '@/server/x402/networks/networks'
import type { Transfer } from './transfer'

/** A wallet that this page can use. Its calls may prompt the user and throw on refusal. */
export type SigningWallet = EvmWallet | SvmWallet

/** The account that a wallet shares with this page, and the name of its chain if it has one. */
type SharedAccount = { address: string; chain: string | null }

type Common = {
  id: string
  name: string
  icon: string | null
  /** Null until the user connects the wallet; after a reload it comes back without a prompt. */
  account: SharedAccount | null
  connect(): Promise<{ address: string; chainId: number }>
  /** Signs a message. The signature is 0x and hex, for Solana too. */
  sign(message: string, address: string): Promise<string>
}

export type EvmWallet = Common & {
  family: 'evm'
  /** Signs an EIP-3009 transfer; switches to its chain first. */
  signTransfer(transfer: Transfer): Promise<string>
}

export type SvmWallet = Common & {
  family: 'svm'
  /** Signs a transaction and returns all of it. The wallet may add safety instructions. */
  signTransaction(transaction: Uint8Array, network: SvmNetworkId): Promise<Uint8Array>
}

/** The id of the wallet that stands for all wallets on other devices. */
export const WALLET_CONNECT = 'walletConnect'

/** The kinds of wallets as users know them. */
export const FAMILY_NAMES = { evm: 'EVM', svm: 'Solana' } as const

/** The first line of a wallet's error. */
export function walletError(error: unknown): string {
  if (!(error instanceof Error)) return 'The wallet did not sign.'
  return error.message.split('\n')[0] || 'The wallet did not sign.'
}

/** Whether two addresses are the same account. Hex ignores case; base58 does not. */
export function isSameAddress(one: string, other: string): boolean {
  return one === other || (other.startsWith('0x') && one.toLowerCase() === other.toLowerCase())
}
