import { createHash } from 'node:crypto'
import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit'
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { instruction, memoOf, PROGRAMS, someAddress, svmPayment } from '../../../../../test/support/svm/forge'
import {
  asDecodedByUs,
  asDecodedOfficially,
  assemble,
  base64,
  call,
  key,
  lookup,
  type Parts,
} from '../../../../../test/support/svm/wire'
import { decodeTransaction, payerOf, type SvmTransaction } from './transaction'

const feePayer = someAddress()
const payTo = someAddress()
let payer: KeyPairSigner
beforeAll(async () => {
  payer = await generateKeyPairSigner()
})

function read(transaction: string): SvmTransaction {
  const decoded = decodeTransaction(transaction)
  if (!decoded) throw new Error('not read')
  return decoded
}

describe('a transaction is read', () => {
  test.each(['legacy', 0] as const)('as @solana/kit makes it, of version %s', async (version) => {
    const wire = await svmPayment({ payer, feePayer, payTo, version, extraInstructions: [memoOf('')] })
    const transaction = read(wire)
    expect(asDecodedByUs(transaction)).toEqual(asDecodedOfficially(Buffer.from(wire, 'base64')))
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
      expect(asDecodedByUs(transaction)).toEqual(asDecodedOfficially(wire))
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
    expect(asDecodedByUs(read(wire))).toEqual(asDecodedOfficially(Buffer.from(wire, 'base64')))
  })

  test('up to the size of a packet', () => {
    const spare = 1_232 - Buffer.from(assemble({ instructions: [call(3, [], Array(128).fill(7))] }), 'base64').length + 128
    const wires = [spare, spare + 1].map((size) => assemble({ instructions: [call(3, [], Array(size).fill(7))] }))
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
  test('is the hash of the message, with any signatures and base64', async () => {
    const wire = await svmPayment({ payer, feePayer, payTo, memo: 'x' })
    const bytes = Buffer.from(wire, 'base64')
    const filled = Buffer.from(bytes)
    filled.fill(9, 1, 65)
    const headroom = 'ABCD'
    const unpadded = wire.replace(/=+$/, '')
    const spellings = [wire, unpadded, base64(filled)]
    const { message, messageHash } = read(wire)
    expect(messageHash).toBe(`0x${createHash('sha256').update(bytes.subarray(129)).digest('hex')}`)
    expect(base64(message)).toBe(base64(bytes.subarray(129)))
    expect(new Set(spellings.map((text) => read(text).messageHash))).toEqual(new Set([messageHash]))
    expect(decodeTransaction(wire + headroom)).toBeNull()
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
    ['more data announced than there is', { instructions: [[3, 0, 120, 1, 2, 3]], lookups: null }],
    ['a count of instructions beyond the end', { instructions: [], lookups: null, tail: [0x7f] }],
  ]
  test.each(cases)('from a transaction with %s', (_, parts) => {
    expect(decodeTransaction(assemble(parts))).toBeNull()
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

  test('is empty without such a call', async () => {
    expect(payerOf(read(await moving(PROGRAMS.token, [someAddress(), someAddress(), someAddress()])))).toBe('')
    expect(payerOf(read(await moving(PROGRAMS.lighthouse, [payTo, someAddress(), someAddress(), someAddress()])))).toBe('')
  })
})
