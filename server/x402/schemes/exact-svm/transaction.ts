import { createHash } from 'node:crypto'
import { standardBase64, toBase58 } from '../../encodings'

/** One instruction of a Solana message: addresses in base58, an account of a lookup table as nothing. */
export type SvmInstruction = { program: string; accounts: readonly string[]; data: Uint8Array }

/** A Solana transaction as a payer sends it: the signed message, byte for byte, and what is in it. Addresses are base58. */
export type SvmTransaction = {
  /** The bytes that are signed, exactly as they came. */
  message: Uint8Array
  /** SHA-256 of the message: its identity, whatever base64 or signatures surround it. */
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

/** What fits in a packet of the network, signatures included. */
const MAX_WIRE_BYTES = 1_232

/** Reads a transaction from base64. Null for anything that the chain would not read as one, byte for byte. */
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

  // What the chain calls to sanitize a message. The fee payer is writable, and no program.
  const lookups = tables.reduce((sum, table) => sum + table, 0)
  const sound =
    readonlySigned < required &&
    required + readonlyUnsigned <= keys.length &&
    keys.length + lookups <= MAX_ACCOUNTS &&
    !tables.includes(0) &&
    instructions.every(
      ({ program, accounts }) => program > 0 && program < keys.length && accounts.every((index) => index < keys.length + lookups),
    )
  return sound ? { version, required, keys, blockhash, instructions, lookups } : null
}

// An account is named by one byte.
const MAX_ACCOUNTS = 256
// Without the high bit the first byte of a message is a legacy one's count of signatures, with it a version.
const VERSION_0 = 0x80

/** How many accounts one lookup loads. */
function readLookup(reader: ByteReader): number {
  reader.take(32)
  return reader.run().length + reader.run().length
}

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const TOKEN_PROGRAMS: ReadonlySet<string> = new Set([TOKEN_PROGRAM, TOKEN_2022_PROGRAM])

/** Who pays, as the transaction says: the authority of its token instruction. Empty when there is none. */
export function payerOf({ instructions }: SvmTransaction): string {
  const paying = instructions.find(({ program, accounts }) => TOKEN_PROGRAMS.has(program) && accounts.length >= 4)
  return paying?.accounts[3] ?? ''
}

export type ByteReader = ReturnType<typeof byteReader>

const NOTHING = new Uint8Array()

/** Reads bytes from the front. Asked for what is not there, it is broken for good and gives nothing; ask `isSpent` at the end. */
export function byteReader(bytes: Uint8Array) {
  let at = 0
  let broken = false

  function take(length: number): Uint8Array {
    if (length > bytes.length - at) broken = true
    if (broken) return NOTHING
    at += length
    return bytes.subarray(at - length, at)
  }

  const byte = (): number => take(1)[0] ?? 0

  // Solana's compact-u16: seven bits a byte, the lowest first. It has one form for each number, the shortest.
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

  /** As many items as the count in front says. Every item takes a byte at least, so a count beyond the end is never followed. */
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
    /** As many bytes as the count in front says. */
    run: () => take(compact()),
    /** The bytes that are still to come. */
    rest: () => bytes.subarray(at),
    /** Whether everything was there and nothing is left. */
    isSpent: () => !broken && at === bytes.length,
  }
}
