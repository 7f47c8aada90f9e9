import {
  ComputeBudgetProgram,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { bytesToHex } from 'viem'
import type { TransferParts } from '@/server/agents/purchase-payment'
import { MEMO_PROGRAM, TOKEN_PROGRAM } from '@/server/x402/schemes/exact/svm/programs'
import { base64, type SvmTerms } from './terms'

// The official client sets these values; a transfer and a memo need less.
const COMPUTE_UNITS = 20_000
const MICRO_LAMPORTS_PER_UNIT = 1
const TRANSFER_CHECKED = 12
const USDC_DECIMALS = 6

/** The unsigned version 0 transaction that pays these terms, as the official client builds it. */
export function solanaTransfer(terms: SvmTerms, payer: string, parts: TransferParts, memo = newMemo()): Uint8Array {
  const { feePayer, memo: requested } = terms.extra
  const message = new TransactionMessage({
    payerKey: new PublicKey(feePayer),
    recentBlockhash: parts.blockhash,
    instructions: [
      ComputeBudgetProgram.setComputeUnitLimit({ units: COMPUTE_UNITS }),
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: MICRO_LAMPORTS_PER_UNIT }),
      transferChecked(terms, payer, parts),
      instruction(MEMO_PROGRAM, [], new TextEncoder().encode(requested ?? memo)),
    ],
  })
  return new VersionedTransaction(message.compileToV0Message()).serialize()
}

/** A transaction that its payer signed, as the payload of a payment. */
export function solanaPayload(transaction: Uint8Array): { transaction: string } {
  return { transaction: base64(transaction) }
}

function transferChecked(terms: SvmTerms, payer: string, { source, destination }: TransferParts): TransactionInstruction {
  const data = new DataView(new ArrayBuffer(10))
  data.setUint8(0, TRANSFER_CHECKED)
  data.setBigUint64(1, BigInt(terms.amount), true)
  data.setUint8(9, USDC_DECIMALS)
  const accounts = [
    { pubkey: new PublicKey(source), isSigner: false, isWritable: true },
    { pubkey: new PublicKey(terms.asset), isSigner: false, isWritable: false },
    { pubkey: new PublicKey(destination), isSigner: false, isWritable: true },
    { pubkey: new PublicKey(payer), isSigner: true, isWritable: false },
  ]
  return instruction(TOKEN_PROGRAM, accounts, new Uint8Array(data.buffer))
}

function instruction(program: string, keys: TransactionInstruction['keys'], data: Uint8Array): TransactionInstruction {
  return new TransactionInstruction({ programId: new PublicKey(program), keys, data: asBuffer(data) })
}

// web3.js only copies the bytes, so any Uint8Array will do.
const asBuffer = (bytes: Uint8Array) => bytes as Buffer

// Two purchases of one price under one blockhash are two payments.
const newMemo = (): string => bytesToHex(crypto.getRandomValues(new Uint8Array(16))).slice(2)
