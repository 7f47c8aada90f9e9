import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { base58 } from '@scure/base'
import { getCompiledTransactionMessageDecoder, getCompiledTransactionMessageEncoder } from '@solana/kit'
import { invalidParams } from './rpc-error'

export type WireInstruction = { program: string; accounts: readonly number[]; data: Uint8Array }

/** A decoded wire transaction; addresses and hashes are base58. */
export type WireTransaction = {
  bytes: Uint8Array
  message: Uint8Array
  /** SHA-256 of the message: the chain's identity of a transaction, with any signatures. */
  messageHash: string
  version: 'legacy' | 0
  signatures: readonly Uint8Array[]
  /** The first signature, which names the transaction. */
  signature: string
  /** The static accounts: the fee payer, the other signers, then the rest. */
  accounts: readonly string[]
  header: readonly [signers: number, readonlySigners: number, readonlyOthers: number]
  blockhash: string
  instructions: readonly WireInstruction[]
}

const signatureBytes = 64
const packetBytes = 1232
const decoder = getCompiledTransactionMessageDecoder()
const encoder = getCompiledTransactionMessageEncoder()

/** Reads a transaction's bytes. Throws -32602 for bytes that a node cannot read: they would crash the virtual machine. */
export function readTransaction(bytes: Uint8Array): WireTransaction {
  if (bytes.length > packetBytes) throw invalidParams(`transaction too large: ${bytes.length} bytes (max: ${packetBytes} bytes)`)
  const count = bytes[0] ?? 0
  const start = 1 + count * signatureBytes
  const { message, compiled } = readMessage(bytes.subarray(start))
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = compiled.header
  const signatures = Array.from({ length: count }, (_, index) => {
    const from = 1 + index * signatureBytes
    return bytes.slice(from, from + signatureBytes)
  })
  const [first] = signatures
  if (first === undefined || count !== numSignerAccounts) {
    throw invalidParams('invalid transaction: Transaction failed to sanitize accounts offsets correctly')
  }
  return {
    bytes: bytes.slice(0, start + message.length),
    message,
    messageHash: createHash('sha256').update(message).digest('hex'),
    version: compiled.version,
    signatures,
    signature: base58.encode(first),
    accounts: compiled.staticAccounts,
    header: [numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts],
    blockhash: compiled.lifetimeToken,
    instructions: compiled.instructions.map(({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) => ({
      program: compiled.staticAccounts[programAddressIndex] ?? '',
      accounts: accountIndices,
      data: new Uint8Array(data),
    })),
  }
}

/** Reads the signed message alone; a node ignores bytes after it. */
export function readMessage(bytes: Uint8Array) {
  try {
    const compiled = decoder.decode(bytes)
    const message = new Uint8Array(encoder.encode(compiled))
    if (!message.every((byte, index) => byte === bytes[index])) throw new Error('it has another, shorter form')
    return { message, compiled }
  } catch (cause) {
    throw invalidParams(`failed to deserialize the transaction: ${cause instanceof Error ? cause.message : cause}`)
  }
}

// The DER prefix of the 32 bytes of an Ed25519 public key.
const derPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** True when every account that must sign has signed the message. */
export function isFullySigned({ message, signatures, accounts }: WireTransaction): boolean {
  return signatures.every((signature, index) => verify(null, message, publicKey(accounts[index] ?? ''), signature))
}

function publicKey(address: string): KeyObject {
  return createPublicKey({ key: Buffer.concat([derPrefix, base58.decode(address)]), format: 'der', type: 'spki' })
}
