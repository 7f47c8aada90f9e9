import { createHash, randomBytes } from 'node:crypto'
import {
  generateKeyPairSigner,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type KeyPairSigner,
} from '@solana/kit'
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { instruction, memoOf, PROGRAMS, someAddress, svmPayment } from '../../test/svm-forge'
import { decodeTransaction, payerOf, type SvmTransaction } from './svm-transaction'

const feePayer = someAddress()
const payTo = someAddress()
let payer: KeyPairSigner
beforeAll(async () => {
  payer = await generateKeyPairSigner()
})

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

function read(transaction: string): SvmTransaction {
  const decoded = decodeTransaction(transaction)
  if (!decoded) throw new Error('not read')
  return decoded
}

/** What the official decoder sees in the bytes, in our words. */
function officially(wire: Uint8Array): unknown {
  const transaction = getTransactionDecoder().decode(wire)
  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
  if (message.version !== 0 && message.version !== 'legacy') throw new Error('a version that is not ours')
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

function inOurWords(transaction: SvmTransaction): unknown {
  return {
    version: transaction.version,
    accounts: transaction.accounts,
    signers: transaction.accounts.slice(0, transaction.signatures.length),
    blockhash: transaction.blockhash,
    instructions: transaction.instructions.map((each) => ({ ...each, data: base64(each.data) })),
    message: base64(transaction.message),
  }
}

const compact = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...compact(value >> 7)])
const listOf = (items: (Uint8Array | number[])[]) => [...compact(items.length), ...items.flatMap((item) => [...item])]
const run = (bytes: number[]) => [...compact(bytes.length), ...bytes]

type Parts = {
  signatures: Uint8Array[]
  prefix: number[]
  header: [number, number, number]
  keys: Uint8Array[]
  blockhash: number[]
  instructions: number[][]
  /** Null for a legacy message, which has no place for them. */
  lookups: number[][] | null
  tail: number[]
}

const key = () => new Uint8Array(randomBytes(32))
const call = (program: number, accounts: number[], data: number[] = [1, 2, 3]) => [program, ...run(accounts), ...run(data)]
const lookup = (writable: number[], readonly: number[]) => [...key(), ...run(writable), ...run(readonly)]

/** A transaction put together byte by byte: two signers, a program and one call of it, of version 0. */
function assemble(changes: Partial<Parts> = {}): string {
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

describe('a transaction is read', () => {
  test.each(['legacy', 0] as const)('as @solana/kit makes it, of version %s', async (version) => {
    const wire = await svmPayment({ payer, feePayer, payTo, version, extraInstructions: [memoOf('')] })
    const transaction = read(wire)
    expect(inOurWords(transaction)).toEqual(officially(Buffer.from(wire, 'base64')))
    expect(transaction).toMatchObject({ version, lookups: 0 })
    expect(transaction.accounts[0]).toBe(feePayer)
    expect(transaction.signatures.map((signature) => signature.some((byte) => byte !== 0))).toEqual([false, true])
    expect(payerOf(transaction)).toBe(payer.address)
  })

  test('as @solana/web3.js makes it, of both versions', () => {
    const keypair = Keypair.generate()
    const recentBlockhash = someAddress()
    const note = new TransactionInstruction({
      programId: new PublicKey(PROGRAMS.memo),
      keys: [{ pubkey: keypair.publicKey, isSigner: true, isWritable: false }],
      data: Buffer.from('hello'),
    })
    const instructions = [ComputeBudgetProgram.setComputeUnitLimit({ units: 20_000 }), note]
    const legacy = new Transaction({ feePayer: new PublicKey(feePayer), recentBlockhash }).add(...instructions)
    legacy.partialSign(keypair)
    const message = new TransactionMessage({ payerKey: new PublicKey(feePayer), recentBlockhash, instructions })
    const versioned = new VersionedTransaction(message.compileToV0Message())
    versioned.sign([keypair])

    for (const wire of [legacy.serialize({ requireAllSignatures: false }), versioned.serialize()]) {
      const transaction = read(base64(wire))
      expect(inOurWords(transaction)).toEqual(officially(wire))
      expect(transaction.blockhash).toBe(recentBlockhash)
      expect(transaction.accounts.slice(0, 2)).toEqual([feePayer, keypair.publicKey.toBase58()])
      expect(transaction.instructions[1]).toMatchObject({ program: PROGRAMS.memo, accounts: [keypair.publicKey.toBase58()] })
    }
  })

  test.each<[string, Partial<Parts>]>([
    ['put together byte by byte', {}],
    ['of the old form', { prefix: [], lookups: null }],
    ['without any instruction', { instructions: [] }],
    ['with an instruction without accounts and data', { instructions: [call(1, [], [])] }],
    ['with 200 bytes of data', { instructions: [call(3, [], Array(200).fill(7))] }],
    ['with lookups that nothing uses', { lookups: [lookup([1], [2])] }],
  ])('%s', (_, parts) => {
    const wire = assemble(parts)
    expect(inOurWords(read(wire))).toEqual(officially(Buffer.from(wire, 'base64')))
  })

  test('up to the size of a packet', () => {
    const room = 1_232 - Buffer.from(assemble({ instructions: [call(3, [], Array(128).fill(7))] }), 'base64').length + 128
    const wires = [room, room + 1].map((size) => assemble({ instructions: [call(3, [], Array(size).fill(7))] }))
    expect(wires.map((wire) => Buffer.from(wire, 'base64').length)).toEqual([1_232, 1_233])
    expect(wires.map((wire) => decodeTransaction(wire) !== null)).toEqual([true, false])
  })

  test('with accounts of lookup tables counted, and nameless', () => {
    const keys = [key(), key(), key(), key()]
    const transaction = read(assemble({ keys, lookups: [lookup([1], [2, 3])], instructions: [call(3, [1, 4, 6])] }))
    expect(transaction.lookups).toBe(3)
    expect(transaction.instructions[0]?.accounts).toEqual([transaction.accounts[1], '', ''])
  })
})

describe('the identity of a transaction', () => {
  test('is the hash of the message, whatever signatures and base64 surround it', async () => {
    const wire = await svmPayment({ payer, feePayer, payTo, memo: 'x' })
    const bytes = Buffer.from(wire, 'base64')
    const filled = Buffer.from(bytes)
    filled.fill(9, 1, 65)
    const spare = 'ABCD'
    const unpadded = wire.replace(/=+$/, '')
    const spellings = [wire, unpadded, base64(filled)]
    const { message, messageHash } = read(wire)
    expect(messageHash).toBe(`0x${createHash('sha256').update(bytes.subarray(129)).digest('hex')}`)
    expect(base64(message)).toBe(base64(bytes.subarray(129)))
    expect(new Set(spellings.map((text) => read(text).messageHash))).toEqual(new Set([messageHash]))
    expect(decodeTransaction(wire + spare)).toBeNull()
  })

  test('does not change with the free bits of the last base64 digit', () => {
    // One byte over a multiple of three leaves four bits of the last digit that no byte holds.
    const sizes = [1, 2, 3].map((size) => assemble({ instructions: [call(3, [], Array(size).fill(7))] }))
    const padded = sizes.find((wire) => wire.endsWith('=='))
    if (!padded) throw new Error('none of three sizes has two padding signs')
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
    const last = digits.indexOf(padded.at(-3) ?? '')
    const twin = `${padded.slice(0, -3)}${digits[last + 1]}==`
    expect(twin).not.toBe(padded)
    expect(read(twin).messageHash).toBe(read(padded).messageHash)
  })
})

describe('nothing is read', () => {
  const good = assemble()
  test.each([
    ['an empty text', ''],
    ['no base64', '{}'],
    ['the url-safe alphabet', base64(new Uint8Array(200).fill(0xff)).replaceAll('/', '_')],
    ['a space in front', ` ${good}`],
    ['a newline at the end', `${good}\n`],
    ['padding in the middle', `${good.slice(0, 8)}==${good.slice(8)}`],
    ['too much padding', `${good.replace(/=+$/, '')}===`],
    ['a lone last digit', `${good.replace(/=+$/, '').slice(0, 4)}A`],
  ])('from %s', (_, text) => {
    expect(decodeTransaction(text)).toBeNull()
  })

  const same = key()
  const cases: [string, Partial<Parts>][] = [
    ['fewer signatures than the header asks for', { signatures: [new Uint8Array(64)] }],
    ['more signatures than the header asks for', { signatures: Array(3).fill(new Uint8Array(64)) }],
    ['no signature at all', { signatures: [], header: [0, 0, 1] }],
    ['version 1', { prefix: [0x81] }],
    ['version 127', { prefix: [0xff] }],
    ['a fee payer that is not written to', { header: [2, 2, 1] }],
    ['more readonly accounts than there are', { header: [2, 1, 3] }],
    ['more signers than accounts', { keys: [key()], instructions: [] }],
    ['an account twice', { keys: [key(), same, key(), same] }],
    ['a program that is not there', { instructions: [call(4, [])] }],
    ['the fee payer as a program', { instructions: [call(0, [])] }],
    ['an account that is not there', { instructions: [call(3, [4])] }],
    ['an account beyond those of its lookups', { instructions: [call(3, [6])], lookups: [lookup([1], [2])] }],
    ['a program out of a lookup table', { instructions: [call(4, [])], lookups: [lookup([1], [2])] }],
    ['a lookup that loads nothing', { lookups: [lookup([], [])] }],
    ['more accounts than one byte can name', { lookups: [lookup(Array(253).fill(1), [])] }],
    ['lookups in the old form', { prefix: [] }],
    ['a missing count of lookups', { lookups: null }],
    ['a byte after the end', { tail: [0] }],
    ['a blockhash of 31 bytes', { blockhash: Array(31).fill(1) }],
    ['a count in a longer form than it needs', { instructions: [], lookups: null, tail: [0x80, 0x00] }],
    ['a data length in a longer form than it needs', { instructions: [[3, 0, 0x83, 0x00, 1, 2, 3]] }],
    ['a data length of three bytes and nothing in the last', { instructions: [[3, 0, 0x83, 0x80, 0x00, 1, 2, 3]] }],
    ['a data length that no u16 holds', { instructions: [[3, 0, 0xff, 0xff, 0x04, 1, 2, 3]] }],
    ['a data length of four bytes', { instructions: [[3, 0, 0x83, 0x80, 0x80, 0x01, 1, 2, 3]] }],
    ['more data promised than there is', { instructions: [[3, 0, 120, 1, 2, 3]], lookups: null }],
    ['a count of instructions beyond the end', { instructions: [], lookups: null, tail: [0x7f] }],
  ]
  test.each(cases)('from a transaction with %s', (_, parts) => {
    expect(decodeTransaction(assemble(parts))).toBeNull()
  })
})

describe('whatever comes', () => {
  const agrees = (wire: Uint8Array) => {
    const decoded = decodeTransaction(base64(wire))
    if (decoded) expect(inOurWords(decoded)).toEqual(officially(wire))
    return decoded
  }

  test('random bytes and texts are refused without an exception', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 1_300 }), (bytes) => void agrees(bytes)))
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void decodeTransaction(text)))
  })

  test('no part of a payment is a payment', async () => {
    for (const version of ['legacy', 0] as const) {
      const wire = Buffer.from(await svmPayment({ payer, feePayer, payTo, version }), 'base64')
      for (let length = 0; length < wire.length; length++) expect(agrees(wire.subarray(0, length))).toBeNull()
    }
  })

  test('what is read of a payment with flipped bits, the official decoder reads alike', async () => {
    const wires = await Promise.all(
      (['legacy', 0] as const).map((version) =>
        svmPayment({
          payer,
          feePayer,
          payTo,
          version,
          extraInstructions: [instruction(PROGRAMS.lighthouse, [payTo], [1, 2])],
        }),
      ),
    )
    const bits = fc.array(fc.nat(), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(fc.constantFrom(...wires), bits, (wire, flips) => {
        const bytes = Buffer.from(wire, 'base64')
        for (const flip of flips) {
          const at = Math.floor(flip / 8) % bytes.length
          bytes[at] = (bytes[at] ?? 0) ^ (1 << (flip % 8))
        }
        agrees(bytes)
      }),
      { numRuns: 2_000 },
    )
  })

  test('what is read of messages with any counts, the official decoder reads alike', () => {
    const small = fc.integer({ min: 0, max: 5 })
    const index = fc.integer({ min: 0, max: 6 })
    const shape = fc.record({
      required: small,
      signed: small,
      unsigned: small,
      keys: small,
      calls: fc.array(fc.record({ program: index, accounts: fc.array(index, { maxLength: 4 }) }), { maxLength: 3 }),
      loaded: fc.option(fc.tuple(small, small), { nil: null }),
      legacy: fc.boolean(),
    })
    let read = 0
    fc.assert(
      fc.property(shape, ({ required, signed, unsigned, keys, calls, loaded, legacy }) => {
        const loads = loaded ? [lookup(Array(loaded[0]).fill(1), Array(loaded[1]).fill(2))] : []
        const wire = assemble({
          signatures: Array(required).fill(new Uint8Array(64)),
          prefix: legacy ? [] : [0x80],
          header: [required, signed, unsigned],
          keys: Array.from({ length: keys }, key),
          instructions: calls.map(({ program, accounts }) => call(program, accounts)),
          lookups: legacy ? null : loads,
        })
        if (agrees(Buffer.from(wire, 'base64'))) read += 1
      }),
      { numRuns: 2_000 },
    )
    expect(read).toBeGreaterThan(20)
  })
})

describe('who pays', () => {
  const moving = (program: string, accounts: string[]) =>
    svmPayment({
      payer,
      feePayer,
      payTo,
      instructions: () => [memoOf('x', [`+${payer.address}`]), instruction(program, accounts, [3])],
    })

  test.each([PROGRAMS.token, PROGRAMS.token2022])('is the fourth account of the first call of %s', async (program) => {
    const authority = someAddress()
    expect(payerOf(read(await moving(program, [someAddress(), someAddress(), someAddress(), authority])))).toBe(authority)
  })

  test('is nobody without such a call', async () => {
    expect(payerOf(read(await moving(PROGRAMS.token, [someAddress(), someAddress(), someAddress()])))).toBe('')
    expect(payerOf(read(await moving(PROGRAMS.lighthouse, [payTo, someAddress(), someAddress(), someAddress()])))).toBe('')
  })
})
