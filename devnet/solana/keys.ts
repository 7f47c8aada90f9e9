import { generateKeyPairSync } from 'node:crypto'
import { base58 } from '@scure/base'
import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit'

const seedBytes = 32

/** A new secret key as wallets write it: 64 bytes in base58, the second half being the address. */
export function newSecretKey(): string {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  // The last 32 bytes of either DER form are the key itself.
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-seedBytes)
  const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-seedBytes)
  return base58.encode(Buffer.concat([seed, point]))
}

/** The address of a secret key. */
export const addressOf = (secretKey: string): string => base58.encode(base58.decode(secretKey).subarray(seedBytes))

/** The signer of a secret key. */
export const signerOf = (secretKey: string): Promise<KeyPairSigner> => createKeyPairSignerFromBytes(base58.decode(secretKey))
