import secp256k1 from 'secp256k1'
import { type Hex, hexToBytes } from 'viem'
import { addressOfKey, createSigner, type Signer } from '../../../server/chains/evm/signer'
import { word } from './token'

/** A wallet with a fixed key. */
export type Wallet = { address: Hex; key: Uint8Array; signer: Signer }

/** The payers of every run. */
export const PAYERS: readonly Wallet[] = Array.from({ length: 6 }, (_, at) => walletOf(101 + at))

function walletOf(number: number): Wallet {
  const key = hexToBytes(word(BigInt(number)))
  return { address: addressOfKey(secp256k1.publicKeyCreate(key, false)), key, signer: createSigner(word(BigInt(number))) }
}

/** The wallet of a payer. Throws for another account. */
export function walletAt(payer: Hex | undefined): Wallet {
  const wallet = PAYERS.find(({ address }) => address === payer)
  if (!wallet) throw new Error('not a payer of this run')
  return wallet
}

/** Where payers move what they take away. */
export const AWAY: Hex = `0x${'c3'.repeat(20)}`
