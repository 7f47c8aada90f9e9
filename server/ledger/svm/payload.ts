import { z } from 'zod'
import { provesItself } from '../../x402/schemes/exact/svm/rules'
import type { SvmTransaction } from '../../x402/schemes/exact/svm/transaction'

type Unsigned = { source: string; transaction: SvmTransaction; left: bigint }

/**
 * The stored part of an unsigned Solana payment: its source account, the blocks that its blockhash had left, and whether it is a smart
 * wallet's. The bytes are stored when they are signed.
 */
export function writeSvmPayload({ source, transaction, left }: Unsigned): object {
  const stored = { source, left: Number(left) }
  return provesItself(transaction) ? stored : { ...stored, wallet: true }
}

const ofWallet = z.object({ wallet: z.literal(true) })

/** Whether a stored payment is a smart wallet's. */
export const isOfSmartWallet = (stored: unknown): boolean => ofWallet.safeParse(stored).success
