import { randomBytes } from 'node:crypto'
import { getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit'
import type { SvmTransaction } from '../../../server/x402/schemes/exact/svm/transaction'

export const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

const compact = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...compact(value >> 7)])
const listOf = (items: (Uint8Array | number[])[]) => [...compact(items.length), ...items.flatMap((item) => [...item])]
const run = (bytes: number[]) => [...compact(bytes.length), ...bytes]

/** The parts of a transaction, as bytes. */
export type Parts = {
  signatures: Uint8Array[]
  prefix: number[]
  header: [number, number, number]
  keys: Uint8Array[]
  blockhash: number[]
  instructions: number[][]
  /** Null for a legacy message, which has no lookups. */
  lookups: number[][] | null
  tail: number[]
}

/** The bytes of a new address. */
export const key = () => new Uint8Array(randomBytes(32))
/** An instruction: the indexes of its program and accounts, and its data. */
export const call = (program: number, accounts: number[], data: number[] = [1, 2, 3]) => [program, ...run(accounts), ...run(data)]
/** A lookup of account indexes in a new table. */
export const lookup = (writable: number[], readonly: number[]) => [...key(), ...run(writable), ...run(readonly)]

/** A version 0 transaction from its parts: two signers, a program and one instruction. */
export function assemble(changes: Partial<Parts> = {}): string {
  const parts: Parts = {
    signatures: [new Uint8Array(64), new Uint8Array(64)],
    prefix: [0x80],
    header: [2, 1, 1],
    keys: [key(), key(), key(), key()],
    blockhash: [...key()],
    instructions: [call(3, [0, 1, 2])],
    lookups: [],
    tail: [],
    ...changes,
  }
  const { signatures, prefix, header, keys, blockhash, instructions, lookups, tail } = parts
  const body = [...prefix, ...header, ...listOf(keys), ...blockhash, ...listOf(instructions)]
  return base64(Uint8Array.from([...listOf(signatures), ...body, ...(lookups ? listOf(lookups) : []), ...tail]))
}

/** The official decoder's result, in a form that both decoders share. */
export function asDecodedOfficially(wire: Uint8Array): unknown {
  const transaction = getTransactionDecoder().decode(wire)
  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
  if (message.version !== 0 && message.version !== 'legacy') throw new Error('an unsupported message version')
  const accounts = message.staticAccounts.map(String)
  return {
    version: message.version,
    accounts,
    signers: Object.keys(transaction.signatures),
    blockhash: message.lifetimeToken,
    instructions: message.instructions.map(({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) => ({
      program: accounts[programAddressIndex],
      accounts: accountIndices.map((index) => accounts[index] ?? ''),
      data: base64(Uint8Array.from(data)),
    })),
    message: base64(Uint8Array.from(transaction.messageBytes)),
  }
}

/** Our decoder's result, in the same form. */
export function asDecodedByUs(transaction: SvmTransaction): unknown {
  return {
    version: transaction.version,
    accounts: transaction.accounts,
    signers: transaction.accounts.slice(0, transaction.signatures.length),
    blockhash: transaction.blockhash,
    instructions: transaction.instructions.map((each) => ({ ...each, data: base64(each.data) })),
    message: base64(transaction.message),
  }
}
