import { Keypair, PublicKey, TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { associatedAccount } from '../server/x402/associated-account'
import { networks } from '../server/x402/networks'
import type { SvmPayment } from '../server/x402/payment'
import { COMPUTE_BUDGET_PROGRAM, TOKEN_PROGRAM } from '../server/x402/svm-programs'
import { decodeTransaction } from '../server/x402/svm-transaction'
import { addressOf, DEVNET } from './fake-cluster'

export const feePayer = Keypair.generate()
export const payer = Keypair.generate()
export const payTo = Keypair.generate().publicKey.toBase58()
export const mint = networks[DEVNET].asset

/** The associated account of an owner, which is always there for a key. */
export function accountOf(owner: string): string {
  const account = associatedAccount(owner, mint)
  if (!account) throw new Error(`${owner} has no associated account`)
  return account
}

const key = (address: string) => new PublicKey(address)

/** A transaction as the official client makes it, signed by the payer alone. */
export function transferOf(amount: bigint): VersionedTransaction {
  const limit = Buffer.alloc(5)
  limit.writeUInt8(2)
  limit.writeUInt32LE(20_000, 1)
  const price = Buffer.alloc(9)
  price.writeUInt8(3)
  price.writeBigUInt64LE(1n, 1)
  const transfer = Buffer.alloc(10, 6)
  transfer.writeUInt8(12)
  transfer.writeBigUInt64LE(amount, 1)
  const budget = (data: Buffer) => new TransactionInstruction({ programId: key(COMPUTE_BUDGET_PROGRAM), keys: [], data })
  const message = new TransactionMessage({
    payerKey: feePayer.publicKey,
    recentBlockhash: addressOf(9),
    instructions: [
      budget(limit),
      budget(price),
      new TransactionInstruction({
        programId: key(TOKEN_PROGRAM),
        keys: [
          { pubkey: key(accountOf(payer.publicKey.toBase58())), isSigner: false, isWritable: true },
          { pubkey: key(mint), isSigner: false, isWritable: false },
          { pubkey: key(accountOf(payTo)), isSigner: false, isWritable: true },
          { pubkey: payer.publicKey, isSigner: true, isWritable: false },
        ],
        data: transfer,
      }),
    ],
  })
  const transaction = new VersionedTransaction(message.compileToV0Message())
  transaction.sign([payer])
  return transaction
}

export const wireText = (transaction: VersionedTransaction) => Buffer.from(transaction.serialize()).toString('base64')

/** A payment that carries this transaction, on Solana devnet. */
export function paymentOf(transaction: VersionedTransaction, amount: bigint, x402Version: 1 | 2 = 2): SvmPayment {
  const decoded = decodeTransaction(wireText(transaction))
  if (!decoded) throw new Error('the transaction cannot be read back')
  return {
    x402Version,
    scheme: 'exact',
    claimed: { scheme: 'exact', network: DEVNET },
    network: DEVNET,
    spelling: DEVNET,
    amount,
    asset: mint,
    payTo,
    resource: 'https://merchant.example/report',
    domain: null,
    transfer: { kind: 'svm', transaction: decoded },
    declared: { extra: { feePayer: feePayer.publicKey.toBase58() } },
  }
}
