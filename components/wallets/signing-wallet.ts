import type { SvmNetworkId } from '@/server/x402/networks'
import type { Transfer } from './transfer'

/** A wallet of this browser. Each of its calls may ask whoever sits there; all throw when the answer is no. */
export type SigningWallet = EvmWallet | SvmWallet

type Common = {
  name: string
  icon: string | null
  /** The signature as the service reads it: 0x and hex, Solana's too. */
  sign(message: string, address: string): Promise<string>
}

export type EvmWallet = Common & {
  family: 'evm'
  connect(): Promise<{ address: string; chainId: number }>
  /** Signs an EIP-3009 transfer from one of its addresses, on the transfer's chain: the wallet is asked to go there first. */
  signTransfer(transfer: Transfer): Promise<string>
}

export type SvmWallet = Common & {
  family: 'svm'
  connect(): Promise<{ address: string; chainId: number }>
  /** Signs a transaction as one of those who must, and gives it back whole. It may add to it for its owner's safety. */
  signTransaction(transaction: Uint8Array, network: SvmNetworkId): Promise<Uint8Array>
}

/** Where wallets are told as they are found; the same id again replaces the one before. */
export type Add = (id: string, wallet: SigningWallet) => void
