/** One instruction of a Solana message: addresses in base58. */
export type SvmInstruction = { program: string; accounts: readonly string[]; data: Uint8Array }

/** A Solana transaction as a payer sends it: the signed message, byte for byte, and what is in it. Addresses are base58. */
export type SvmTransaction = {
  /** The bytes that are signed, exactly as they came. */
  message: Uint8Array
  /** SHA-256 of the message: its identity, whatever base64 or signatures surround it (F-3). */
  messageHash: `0x${string}`
  version: 'legacy' | 0
  /** One of 64 bytes for each of the first accounts; zeros where nobody signed yet. */
  signatures: readonly Uint8Array[]
  /** All static accounts; the first is the fee payer, and the first `signatures.length` must sign. */
  accounts: readonly string[]
  blockhash: string
  instructions: readonly SvmInstruction[]
  /** Accounts that would be read from address lookup tables. */
  lookups: number
}

/** Reads a transaction from base64. Null for anything that the chain would not read as one, byte for byte. */
export function decodeTransaction(base64: string): SvmTransaction | null {
  throw new Error(`not there yet: ${base64.length}`)
}

/** Who pays, as the transaction says: the authority of its token instruction. Empty when there is none. */
export function payerOf({ instructions }: SvmTransaction): string {
  throw new Error(`not there yet: ${instructions.length}`)
}
