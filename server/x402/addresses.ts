import { getAddress, isAddress } from 'viem'
import { z } from 'zod'

/** An address as the database stores it: EVM in lower case, others unchanged. */
export function storedAddress(address: string): string {
  return isAddress(address, { strict: false }) ? address.toLowerCase() : address
}

/** An address for display: EIP-55 for EVM; base58 and the empty text unchanged. */
export function displayAddress(address: string): string {
  return isAddress(address, { strict: false }) ? getAddress(address) : address
}

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/
const SVM_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const EVM_HASH = /^0x[0-9a-fA-F]{64}$/
// 64 bytes in base58: each zero byte at the beginning is one character, so the shortest spelling has 64.
const SVM_SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

/** An address as the database keeps it: EVM in lower case, base58 as it is. Null for a text that is no address. */
export function readAddress(written: string): string | null {
  if (EVM_ADDRESS.test(written)) return written.toLowerCase()
  return SVM_ADDRESS.test(written) ? written : null
}

/** A transaction hash or signature as the database keeps it. Null for a text that is neither. */
export function readTransaction(written: string): string | null {
  if (EVM_HASH.test(written)) return written.toLowerCase()
  return SVM_SIGNATURE.test(written) ? written : null
}

const TEXT_MAX = 2_048

const readAs = (read: (written: string) => string | null, form: string) => (written: string, context: z.core.$RefinementCtx) => {
  const known = read(written)
  if (known === null) context.addIssue({ code: 'custom', message: `must be ${form}`, input: written })
  return known ?? ''
}

/** Reads an address that a schema checks, as the database keeps it. */
export const asAddress = readAs(readAddress, 'an address: 0x and 40 hex digits, or base58')

/** Reads a transaction that a schema checks, as the database keeps it. */
export const asTransaction = readAs(readTransaction, 'a transaction: 0x and 64 hex digits, or a base58 signature')

/** An address as a screen sends it, with or without blanks around it. */
export const addressInput = z.string().max(TEXT_MAX).trim().transform(asAddress)

/** A transaction as a screen sends it. */
export const transactionInput = z.string().max(TEXT_MAX).trim().transform(asTransaction)
