import { base58 } from '@scure/base'
import type { TransferParts } from '@/server/agents/purchase-payment'
import { COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM } from '@/server/x402/schemes/exact-svm/instructions'
import { TOKEN_PROGRAM } from '@/server/x402/schemes/exact-svm/transaction'
import { base64, type SvmTerms } from './terms'

// What the official client asks for: a transfer and a memo need less.
const COMPUTE_UNITS = 20_000
const MICRO_LAMPORTS_PER_UNIT = 1n
const USDC_DECIMALS = 6
const SIGNATURE_BYTES = 64
const VERSION_0 = 0x80

/** The transaction that pays these terms, which nobody signed yet: version 0, as the official client builds it. */
export function solanaTransfer(terms: SvmTerms, payer: string, parts: TransferParts, memo = newMemo()): Uint8Array {
  const { feePayer, memo: wanted } = terms.extra
  // Who signs and is written to, who signs, what is written to, what is read: the chain wants this order.
  const accounts = [
    feePayer,
    payer,
    parts.source,
    parts.destination,
    ...[terms.asset, COMPUTE_BUDGET_PROGRAM, TOKEN_PROGRAM, MEMO_PROGRAM],
  ]
  const header = { required: 2, readonlySigned: 1, readonlyUnsigned: 4 }
  const call = (program: string, data: Uint8Array, named: readonly string[] = []) => [
    accounts.indexOf(program),
    ...run(named.map((name) => accounts.indexOf(name))),
    ...run(data),
  ]
  const calls = [
    call(
      COMPUTE_BUDGET_PROGRAM,
      written(5, (view) => [view.setUint8(0, 2), view.setUint32(1, COMPUTE_UNITS, true)]),
    ),
    call(
      COMPUTE_BUDGET_PROGRAM,
      written(9, (view) => [view.setUint8(0, 3), view.setBigUint64(1, MICRO_LAMPORTS_PER_UNIT, true)]),
    ),
    call(TOKEN_PROGRAM, transferChecked(BigInt(terms.amount)), [parts.source, terms.asset, parts.destination, payer]),
    call(MEMO_PROGRAM, new TextEncoder().encode(wanted ?? memo)),
  ]
  const message = [
    ...[VERSION_0, header.required, header.readonlySigned, header.readonlyUnsigned],
    ...compact(accounts.length),
    ...accounts.flatMap((account) => [...base58.decode(account)]),
    ...base58.decode(parts.blockhash),
    ...compact(calls.length),
    ...calls.flat(),
    ...compact(0),
  ]
  return Uint8Array.of(...compact(header.required), ...new Uint8Array(header.required * SIGNATURE_BYTES), ...message)
}

/** A transaction that its payer signed, as the payload of a payment. */
export function solanaPayload(transaction: Uint8Array): { transaction: string } {
  return { transaction: base64(transaction) }
}

const transferChecked = (amount: bigint) =>
  written(10, (view) => [view.setUint8(0, 12), view.setBigUint64(1, amount, true), view.setUint8(9, USDC_DECIMALS)])

function written(length: number, write: (view: DataView) => unknown): Uint8Array {
  const bytes = new Uint8Array(length)
  write(new DataView(bytes.buffer))
  return bytes
}

const run = (bytes: ArrayLike<number>): number[] => [...compact(bytes.length), ...Array.from(bytes)]

// Solana's compact-u16: seven bits a byte, the lowest first.
function compact(count: number): number[] {
  return count < 0x80 ? [count] : [(count & 0x7f) | 0x80, ...compact(count >> 7)]
}

// Two purchases of one price under one blockhash are two payments.
function newMemo(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
