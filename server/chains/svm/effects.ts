import { base58 } from '@scure/base'
import { z } from 'zod'
import { readTransferChecked, type TransferChecked } from '../../x402/schemes/exact/svm/instructions'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../x402/schemes/exact/svm/programs'
import type { SvmTransaction } from '../../x402/schemes/exact/svm/transaction'
import type { Rpc } from '../rpc'
import { count, readAnswer, transactionError } from './rpc'

// A node writes an instruction that it understands by its fields, else by addresses, or in a transaction by places in its accounts.
const digits = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt)
const fields = z.object({
  programId: z.enum([TOKEN_PROGRAM, TOKEN_2022_PROGRAM]),
  parsed: z.object({
    type: z.literal('transferChecked'),
    info: z.object({
      source: z.string(),
      mint: z.string(),
      destination: z.string(),
      authority: z.string(),
      tokenAmount: z.object({ amount: digits, decimals: z.int() }),
    }),
  }),
})
const addresses = z.object({ programId: z.string(), accounts: z.array(z.string()), data: z.string() })
const places = z.object({ programIdIndex: z.int(), accounts: z.array(z.int()), data: z.string() })

const groups = z.array(z.object({ instructions: z.array(z.unknown()) }))

/**
 * The transfers that a transaction makes: its own and those that its programs made, in no order. `inner` is what a node says of the
 * latter. Throws when the node does not say it.
 */
export function transfersOf({ instructions, accounts }: SvmTransaction, inner: unknown): TransferChecked[] {
  const read = groups.safeParse(inner)
  if (!read.success) throw new Error('node does not report the inner instructions of transactions')
  const made = read.data.flatMap(({ instructions }) => instructions.flatMap((one) => transferAmong(one, accounts) ?? []))
  return [...instructions.flatMap((one) => readTransferChecked(one) ?? []), ...made]
}

function transferAmong(instruction: unknown, accounts: readonly string[]): TransferChecked | null {
  const named = fields.safeParse(instruction).data
  if (named) {
    const { tokenAmount, ...parties } = named.parsed.info
    return { program: named.programId, ...parties, ...tokenAmount }
  }
  const written = addresses.safeParse(instruction).data
  if (written) return readTransferChecked({ program: written.programId, accounts: written.accounts, data: dataOf(written.data) })
  const placed = places.safeParse(instruction).data
  if (!placed) return null
  const at = (index: number) => accounts[index] ?? ''
  return readTransferChecked({ program: at(placed.programIdIndex), accounts: placed.accounts.map(at), data: dataOf(placed.data) })
}

const NOTHING = new Uint8Array()
// Ten bytes have so many digits at most. Longer data is no TransferChecked, and slow to read.
const SHORT = /^[1-9A-HJ-NP-Za-km-z]{1,14}$/
const dataOf = (text: string): Uint8Array => (SHORT.test(text) ? base58.decode(text) : NOTHING)

const landed = z.object({ slot: count, meta: z.object({ err: transactionError, innerInstructions: z.unknown() }) })

/**
 * The transfers of a transaction that succeeded on the chain, with its slot. Null while the node does not have it, or when it failed.
 * Throws when the node does not answer or does not report them.
 */
export async function landedTransfers(
  rpc: Rpc,
  signature: string,
  transaction: SvmTransaction,
): Promise<{ slot: bigint; transfers: TransferChecked[] } | null> {
  const method = 'getTransaction'
  const options = { commitment: 'confirmed', encoding: 'json', maxSupportedTransactionVersion: 0 }
  const found = readAnswer(landed.nullable(), await rpc(method, [signature, options]), method)
  if (!found || found.meta.err !== null) return null
  return { slot: found.slot, transfers: transfersOf(transaction, found.meta.innerInstructions) }
}
