import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { base58 } from '@scure/base'
import type { WireTransaction } from './wire'

// What DER writes before the 32 bytes of an Ed25519 public key.
const prefix = Buffer.from('302a300506032b6570032100', 'hex')

/** Whether every account that must sign has signed the message. */
export function isFullySigned({ message, signatures, accounts }: WireTransaction): boolean {
  return signatures.every((signature, index) => verify(null, message, publicKey(accounts[index] ?? ''), signature))
}

function publicKey(address: string): KeyObject {
  return createPublicKey({ key: Buffer.concat([prefix, base58.decode(address)]), format: 'der', type: 'spki' })
}
