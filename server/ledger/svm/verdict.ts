import type { SvmStatus } from '@/server/chains/svm/statuses'
import type { SignatureReport } from '../../chains/svm/statuses'

/** What one check of the cluster shows of a transaction: in the chain, failed there for good, on its way, or not found. */
type SvmObservation = 'landed' | 'failed' | 'waiting' | 'missing'

/**
 * Judges one check. A success counts when two thirds of the stake voted for its block (`confirmed`). A failure counts only when it is
 * final, because until then a fork may still make it a success.
 */
export function observeSvm(status: SvmStatus | null): SvmObservation {
  if (!status) return 'missing'
  if (status.failed !== null) return status.commitment === 'finalized' ? 'failed' : 'waiting'
  return status.commitment === 'processed' ? 'waiting' : 'landed'
}

/** The error of a transaction whose third instruction, the transfer, fails because its source holds too little. */
const TOO_LITTLE = 'instruction 2: custom program error 0x1'

/** The text of an error on the chain for the payer: its simulation had passed, so something changed before the block. */
export function failureText(error: string): string {
  if (error === TOO_LITTLE) {
    return "The payer's money left before the block: the transaction failed on the chain, because its source held less than the amount by then. Nothing was transferred."
  }
  return `The transaction failed on the chain after its simulation had passed (${error}): an account of it changed before the block. Nothing was transferred.`
}

/** A transaction that was not found: the last height at which it could land, and a slot at which it had not. */
export type Absent = { signature: string; blockhash: string; lastHeight: bigint; sinceSlot: bigint }

/**
 * What the nodes know of a transaction that was not found. `status`: a node has it after all. `gone`: it expired, which one node proves
 * alone: its finalized height is past the last one, it rejects the blockhash, and it knows every transaction from the claim to that
 * height. No other node may contradict it, except `stuck` ones (by index). `early`: it may still land. `unknown`: it expired, and no node
 * remembers the whole time.
 */
type Absence = { see: 'status'; status: SvmStatus } | { see: 'gone' | 'early' | 'unknown' }

/** Judges the nodes' reports about a missing transaction. */
export function judgeAbsence(
  { signature, blockhash, lastHeight, sinceSlot }: Absent,
  reports: readonly SignatureReport[],
  stuck: ReadonlySet<number> = new Set(),
): Absence {
  const statuses = reports.flatMap(({ statuses }) => statuses.get(signature) ?? [])
  const status = statuses.find(({ failed }) => failed === null) ?? statuses[0]
  if (status) return { see: 'status', status }
  const taking = reports.filter(({ validBlockhashes }) => validBlockhashes.has(blockhash))
  const over = reports.filter((one) => one.finalized.height > lastHeight && !taking.includes(one))
  if (over.length === 0 || taking.some(({ index }) => !stuck.has(index))) return { see: 'early' }
  const knowing = over.some(({ firstSlot, finalized, slot }) => firstSlot <= sinceSlot && slot >= finalized.slot)
  return { see: knowing ? 'gone' : 'unknown' }
}

/** Whether a landed transaction left the chain: a node that knows its slot's time lacks it, and no node has it without an error. */
export function hasLeft({ signature, slot }: { signature: string; slot: bigint }, reports: readonly SignatureReport[]): boolean {
  const reported = reports.map((one) => ({ one, status: one.statuses.get(signature) ?? null }))
  if (reported.some(({ status }) => status && status.failed === null)) return false
  return reported.some(({ one, status }) => (status && status.failed !== null) || (one.firstSlot <= slot && one.slot >= slot))
}
