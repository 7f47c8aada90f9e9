import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519'
import { base58 } from '@scure/base'
import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit'

const seedBytes = 32

/** A new secret key as wallets write it: 64 bytes in base58, the second half being the address. */
export function newSecretKey(): string {
  const seed = randomBytes(seedBytes)
  return base58.encode(Buffer.concat([seed, ed25519.getPublicKey(seed)]))
}

/** The address of a secret key. */
export const addressOf = (secretKey: string): string => base58.encode(base58.decode(secretKey).subarray(seedBytes))

/** The signer of a secret key. */
export const signerOf = (secretKey: string): Promise<KeyPairSigner> => createKeyPairSignerFromBytes(base58.decode(secretKey))
