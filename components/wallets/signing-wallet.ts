import type { SvmNetworkId } from '@/server/x402/networks'
import type { Transfer } from './transfer'

/** A wallet of this browser. Its calls may prompt the user and throw on refusal. */
export type SigningWallet = EvmWallet | SvmWallet

type Common = {
  name: string
  icon: string | null
  /** Signs a message. The signature is 0x and hex, for Solana too. */
  sign(message: string, address: string): Promise<string>
}

export type EvmWallet = Common & {
  family: 'evm'
  connect(): Promise<{ address: string; chainId: number }>
  /** Signs an EIP-3009 transfer; switches to its chain first. */
  signTransfer(transfer: Transfer): Promise<string>
}

export type SvmWallet = Common & {
  family: 'svm'
  connect(): Promise<{ address: string; chainId: number }>
  /** Signs a transaction and returns all of it. The wallet may add safety instructions. */
  signTransaction(transaction: Uint8Array, network: SvmNetworkId): Promise<Uint8Array>
}

/** Reports a found wallet; the same id replaces the previous one. */
export type Add = (id: string, wallet: SigningWallet) => void

/** The first line of a wallet's error. */
export function walletError(error: unknown): string {
  if (!(error instanceof Error)) return 'The wallet did not sign.'
  return error.message.split('\n')[0] || 'The wallet did not sign.'
}
