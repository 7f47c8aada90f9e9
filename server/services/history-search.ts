import type { HistoryFilter } from '../store/history-pages'
import { malformed } from '../x402/json'

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/
const SVM_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const EVM_HASH = /^0x[0-9a-fA-F]{64}$/
// 64 bytes in base58: each zero byte at the beginning is one character, so the shortest spelling has 64.
const SVM_SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/

/** An address as history keeps it: EVM in lower case, base58 as it is. Null for what is none. */
export function readAddress(written: string): string | null {
  if (EVM_ADDRESS.test(written)) return written.toLowerCase()
  return SVM_ADDRESS.test(written) ? written : null
}

/** A transaction as history keeps it. Null for what is none. */
export function readTransaction(written: string): string | null {
  if (EVM_HASH.test(written)) return written.toLowerCase()
  return SVM_SIGNATURE.test(written) ? written : null
}

/** What somebody looks for: a transaction, or an address on either side. Throws `bad_request` for anything else. */
export function readSearch(written: string): Pick<HistoryFilter, 'txHash' | 'party'> {
  const text = written.trim()
  const txHash = readTransaction(text)
  if (txHash !== null) return { txHash }
  const party = readAddress(text)
  if (party !== null) return { party }
  throw malformed('search for a whole transaction hash or a whole address')
}
