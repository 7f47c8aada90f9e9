import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import { createKeyPairSignerFromPrivateKeyBytes, signBytes } from '@solana/kit'
import { Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SvmTransaction } from '../../x402/schemes/exact/svm/transaction'
import { createSvmSigner, signatureIn, signedTransaction, withoutFeePayerSignature } from './signer'

const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 })

describe('a Solana signer', () => {
  test('has the address and makes the signatures of the official library, for any key and bytes', async () => {
    await fc.assert(
      fc.asyncProperty(seeds, fc.uint8Array({ maxLength: 1_232 }), async (seed, message) => {
        const official = await createKeyPairSignerFromPrivateKeyBytes(seed)
        const signer = createSvmSigner(base58.encode(Keypair.fromSeed(seed).secretKey))
        expect(signer.address).toBe(official.address)
        expect(signer.sign(message)).toEqual(new Uint8Array(await signBytes(official.keyPair.privateKey, message)))
      }),
      { numRuns: 30 },
    )
  })

  test('keeps its key to itself', () => {
    const { secretKey } = Keypair.generate()
    const key = base58.encode(secretKey)
    expect(JSON.stringify(createSvmSigner(key))).not.toContain(key.slice(0, 20))
  })
})

describe('a transaction', () => {
  const [ours, payer] = [Keypair.generate(), Keypair.generate()]
  const signer = createSvmSigner(base58.encode(ours.secretKey))

  test("is signed as the official library signs it: our slot is filled, the payer's signature stays", () => {
    const official = unsigned(ours.publicKey, payer)
    const { signature, raw } = signedTransaction(readBack(official), signer)
    official.sign([ours])
    expect(raw).toBe(Buffer.from(official.serialize()).toString('base64'))
    expect(signature).toBe(base58.encode(official.signatures[0] ?? new Uint8Array()))
    expect(signatureIn(raw)).toBe(signature)
  })

  test('has the same bytes each time it is signed, with any bytes in our slot', () => {
    const official = unsigned(ours.publicKey, payer)
    const clean = readBack(official)
    const scribbled = { ...clean, signatures: [new Uint8Array(64).fill(7), ...clean.signatures.slice(1)] }
    expect(signedTransaction(scribbled, signer)).toEqual(signedTransaction(clean, signer))
  })

  test('goes into a simulation without the signature of ours that it may hold', () => {
    const official = unsigned(ours.publicKey, payer)
    const bare = Buffer.from(official.serialize()).toString('base64')
    official.sign([ours])
    expect(withoutFeePayerSignature(readBack(official))).toBe(bare)
  })

  test('of another fee payer is not signed', () => {
    const foreign = readBack(unsigned(Keypair.generate().publicKey, payer))
    expect(() => signedTransaction(foreign, signer)).toThrow(`the fee payer of the transaction is not ${signer.address}`)
  })
})

describe('a Solana key that is none', () => {
  const { secretKey } = Keypair.generate()
  const mixed = Uint8Array.from([...secretKey.subarray(0, 32), ...Keypair.generate().publicKey.toBytes()])
  test.each<[string, string, string]>([
    ['nothing', '', 'is no secret key of 64 bytes'],
    ['63 bytes', base58.encode(secretKey.subarray(0, 63)), 'is no secret key of 64 bytes'],
    ['33 bytes', base58.encode(secretKey.subarray(0, 33)), 'is no secret key of 64 bytes'],
    ['hex', `0x${Buffer.from(secretKey).toString('hex')}`, 'is no secret key of 64 bytes'],
    ['a list of numbers', JSON.stringify([...secretKey]), 'is no secret key of 64 bytes'],
    ['an address', Keypair.generate().publicKey.toBase58(), 'is an address, or a seed'],
    ['a seed', base58.encode(secretKey.subarray(0, 32)), 'is an address, or a seed'],
    ['two halves of different keys', base58.encode(mixed), 'is mistyped or cut off'],
  ])('is refused without quoting it: %s', (_, key, complaint) => {
    let said = ''
    try {
      createSvmSigner(key)
    } catch (error) {
      said = JSON.stringify(error, Object.getOwnPropertyNames(error)) + String(error)
    }
    expect(said).toContain(complaint)
    if (key) expect(said).not.toContain(key.slice(2, 14))
  })
})

function unsigned(feePayer: PublicKey, payer: Keypair): VersionedTransaction {
  const message = new TransactionMessage({
    payerKey: feePayer,
    recentBlockhash: base58.encode(new Uint8Array(32).fill(9)),
    instructions: [
      SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: new PublicKey(new Uint8Array(32).fill(5)), lamports: 1 }),
    ],
  })
  const transaction = new VersionedTransaction(message.compileToV0Message())
  transaction.sign([payer])
  return transaction
}

// What the parser makes of it, as far as signing looks at it.
function readBack({ message, signatures }: VersionedTransaction): SvmTransaction {
  const bytes = message.serialize()
  return {
    message: bytes,
    messageHash: `0x${createHash('sha256').update(bytes).digest('hex')}`,
    version: 0,
    signatures,
    accounts: message.staticAccountKeys.map((key) => key.toBase58()),
    readonly: { signers: 0, others: 0 },
    blockhash: message.recentBlockhash,
    instructions: [],
    lookups: 0,
  }
}
