import { z } from 'zod'
import type { Receipt } from '../../chains/evm/receipts'
import type { SignedTransfer } from '../../chains/evm/transactions'
import { atomic } from '../../x402/amounts'
import type { Landing } from '../statements/landings'
import type { SvmPayload } from '../svm/submitter'

const hex = z
  .string()
  .regex(/^0x[0-9a-f]*$/)
  .transform((text): `0x${string}` => `0x${text.slice(2)}`)

const stored = z.object({
  authorization: z.object({ from: hex, to: hex, value: atomic, validAfter: atomic, validBefore: atomic, nonce: hex }),
  signature: hex,
  proof: z.enum(['key', 'code']),
})

/** A signed transfer as the ledger stores it: JSON with amounts and times as decimal strings. */
export function writeTransfer({ authorization, signature, proof }: SignedTransfer): object {
  const { value, validAfter, validBefore, ...addresses } = authorization
  const digits = { value: value.toString(), validAfter: validAfter.toString(), validBefore: validBefore.toString() }
  return { authorization: { ...addresses, ...digits }, signature, proof }
}

/** Reads what `writeTransfer` wrote. Throws on anything else. */
export function readTransfer(json: unknown): SignedTransfer {
  return stored.parse(json)
}

/** The stored part of an unsigned Solana payment: its source account. The bytes are stored when they are signed. */
export function writeSvmPayload({ source }: SvmPayload): object {
  return { source }
}

/** The stored part of a receipt. */
export function landingOf({ hash, block, blockHash, succeeded, gasUsed, gasPrice, l1Fee }: Receipt): Landing {
  return { hash, block, blockHash, succeeded, gasUsed, gasPrice, l1Fee }
}
