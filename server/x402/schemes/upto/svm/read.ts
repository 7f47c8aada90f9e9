import { z } from 'zod'
import type { Transfer } from '../../../payment'
import { decodeTransaction } from '../../exact/svm/transaction'

const text = z.string().max(128)

/** The `payload` of this scheme on Solana, as the official facilitator recognises it. */
const wire = z.object({
  from: text,
  maxAmount: text,
  deposit: text,
  channelId: text,
  authorizedSigner: text,
  openTransaction: z.string().max(4_096),
  openSlot: text,
  expiresAt: z.int(),
  validAfter: z.int(),
  nonce: text,
  voucherSignature: text.optional(),
  type: z.enum(['deposit', 'claim']).optional(),
})

/** What a payer signed for this scheme; null if the payload has another form. */
export function readUptoSvm(inner: Record<string, unknown>): Transfer | null {
  const { data } = wire.safeParse(inner)
  if (!data) return null
  return {
    kind: 'svm-upto',
    step: 'verify',
    transaction: decodeTransaction(data.openTransaction),
    payer: data.from,
    channelId: data.channelId,
    maximum: readU64(data.maxAmount),
    deposited: readU64(data.deposit),
    nonce: readU64(data.nonce),
    openSlot: readU64(data.openSlot),
    authorizer: data.authorizedSigner,
    validAfter: BigInt(data.validAfter),
    expiresAt: BigInt(data.expiresAt),
    type: data.type ?? null,
    voucher: data.voucherSignature ?? null,
  }
}

const LARGEST = 2n ** 64n

/** A number of 64 bits in decimal digits; null for anything else. */
export function readU64(given: unknown): bigint | null {
  if (typeof given !== 'string' || !/^\d{1,20}$/.test(given)) return null
  const value = BigInt(given)
  return value < LARGEST ? value : null
}
