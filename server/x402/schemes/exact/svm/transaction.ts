import { createHash } from 'node:crypto'
import { standardBase64, toBase58 } from '../../../encodings'
import { TOKEN_PROGRAMS } from './programs'

/** One instruction of a Solana message: addresses in base58; undefined for an account of a lookup table. */
export type SvmInstruction = { program: string; accounts: readonly string[]; data: Uint8Array }

/** A Solana transaction as the payer sends it: the exact signed message and its contents. Addresses are base58. */
export type SvmTransaction = {
  /** The signed bytes, unchanged. */
  message: Uint8Array
  /** SHA-256 of the message: its identity, independent of base64 form and signatures. */
  messageHash: `0x${string}`
  version: 'legacy' | 0
  /** 64 bytes for each of the first accounts; zeros where the signature is missing. */
  signatures: readonly Uint8Array[]
  /** All static accounts; the first is the fee payer, and the first `signatures.length` must sign. */
  accounts: readonly string[]
  /** How many of the signers, and of the others, may not be changed: the last ones of each. */
  readonly: { signers: number; others: number }
  blockhash: string
  instructions: readonly SvmInstruction[]
  /** Accounts to load from address lookup tables. */
  lookups: number
}

/** The packet size of the network, signatures included. */
const MAX_WIRE_BYTES = 1_232

/** Reads a transaction from base64. Null for bytes that the chain would not accept as one. */
export function decodeTransaction(base64: string): SvmTransaction | null {
  const bytes = standardBase64(base64)
  if (!bytes || bytes.length > MAX_WIRE_BYTES) return null
  const wire = byteReader(bytes)
  const signatures = wire.list(() => wire.take(64))
  const message = wire.rest()
  const read = readMessage(byteReader(message))
  if (!read || read.required !== signatures.length) return null

  const accounts = read.keys.map(toBase58)
  if (new Set(accounts).size !== accounts.length) return null
  const address = (index: number): string => accounts[index] ?? ''
  return {
    message,
    messageHash: `0x${createHash('sha256').update(message).digest('hex')}`,
    version: read.version,
    signatures,
    accounts,
    readonly: read.readonly,
    blockhash: toBase58(read.blockhash),
    instructions: read.instructions.map(({ program, accounts, data }) => ({
      program: address(program),
      accounts: Array.from(accounts, address),
      data,
    })),
    lookups: read.lookups,
  }
}

type Message = {
  version: 'legacy' | 0
  required: number
  readonly: { signers: number; others: number }
  keys: Uint8Array[]
  blockhash: Uint8Array
  instructions: { program: number; accounts: Uint8Array; data: Uint8Array }[]
  lookups: number
}

function readMessage(reader: ByteReader): Message | null {
  const first = reader.byte()
  if (first > VERSION_0) return null
  const version = first === VERSION_0 ? 0 : 'legacy'
  const required = version === 'legacy' ? first : reader.byte()
  const [readonlySigned, readonlyUnsigned] = [reader.byte(), reader.byte()]
  const keys = reader.list(() => reader.take(32))
  const blockhash = reader.take(32)
  const instructions = reader.list(() => ({ program: reader.byte(), accounts: reader.run(), data: reader.run() }))
  const tables = version === 'legacy' ? [] : reader.list(() => readLookup(reader))
  if (!reader.isSpent()) return null

  // What the chain checks to sanitize a message: the fee payer is writable and not a program.
  const lookups = tables.reduce((sum, table) => sum + table, 0)
  const valid =
    readonlySigned < required &&
    required + readonlyUnsigned <= keys.length &&
    keys.length + lookups <= MAX_ACCOUNTS &&
    !tables.includes(0) &&
    instructions.every(
      ({ program, accounts }) => program > 0 && program < keys.length && accounts.every((index) => index < keys.length + lookups),
    )
  const readonly = { signers: readonlySigned, others: readonlyUnsigned }
  return valid ? { version, required, readonly, keys, blockhash, instructions, lookups } : null
}

// One byte names an account.
const MAX_ACCOUNTS = 256
// The high bit of the first byte marks a version; without it the byte is a legacy signature count.
const VERSION_0 = 0x80

/** The number of accounts that one lookup loads. */
function readLookup(reader: ByteReader): number {
  reader.take(32)
  return reader.run().length + reader.run().length
}

/** The payer that the transaction names: the authority of its token instruction. Empty when there is none. */
export function payerOf({ instructions }: SvmTransaction): string {
  const paying = instructions.find(({ program, accounts }) => TOKEN_PROGRAMS.has(program) && accounts.length >= 4)
  return paying?.accounts[3] ?? ''
}

type ByteReader = ReturnType<typeof byteReader>

const NOTHING = new Uint8Array()

/** Reads bytes from the front. After a read beyond the end it stays broken; check `isSpent` at the end. */
function byteReader(bytes: Uint8Array) {
  let at = 0
  let broken = false

  function take(length: number): Uint8Array {
    if (length > bytes.length - at) broken = true
    if (broken) return NOTHING
    at += length
    return bytes.subarray(at - length, at)
  }

  const byte = (): number => take(1)[0] ?? 0

  // Solana's compact-u16: seven bits per byte, lowest first, in the shortest form only.
  function compact(): number {
    let value = 0
    for (let shift = 0; shift <= 14; shift += 7) {
      const next = byte()
      value |= (next & 0x7f) << shift
      if (next >= 0x80) continue
      if ((next === 0 && shift > 0) || value > 0xffff) broken = true
      return value
    }
    broken = true
    return 0
  }

  /** Reads as many items as the leading count says. Each item takes a byte or more, so a count beyond the end fails at once. */
  function list<T>(item: () => T): T[] {
    const count = compact()
    if (count > bytes.length - at) broken = true
    const items: T[] = []
    while (!broken && items.length < count) items.push(item())
    return items
  }

  return {
    take,
    byte,
    list,
    /** Reads as many bytes as the leading count says. */
    run: () => take(compact()),
    /** The number of unread bytes. */
    rest: () => bytes.subarray(at),
    /** Whether all reads succeeded and no byte is left. */
    isSpent: () => !broken && at === bytes.length,
  }
}
