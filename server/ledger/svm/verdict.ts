import type { SvmStatus } from '@/server/chains/svm/statuses'
import type { SignatureReport } from '../../chains/svm/statuses'

/** What one look at the cluster says of a transaction: in the chain for good or with its error, on its way there, or not to be seen. */
export type SvmSighting = 'landed' | 'failed' | 'waiting' | 'missing'

/**
 * Judges one look. A success is told when two thirds of the stake have voted for its block (`confirmed`), a failure only once that can
 * never change: until then a fork may still make it a success.
 */
export function sightSvm(status: SvmStatus | null): SvmSighting {
  if (!status) return 'missing'
  if (status.failed !== null) return status.commitment === 'finalized' ? 'failed' : 'waiting'
  return status.commitment === 'processed' ? 'waiting' : 'landed'
}

/** What a transaction says that its third instruction, the transfer, fails with when its source holds too little. */
const TOO_LITTLE = 'instruction 2: custom program error 0x1'

/** What an error on the chain means to the payer: its simulation had passed, so something changed before the block. */
export function failureWords(error: string): string {
  if (error === TOO_LITTLE) {
    return "The payer's money left before the block: the transaction failed on the chain, because its source held less than the amount by then. Nothing was transferred."
  }
  return `The transaction failed on the chain after its simulation had passed (${error}): an account of it changed before the block. Nothing was transferred.`
}

/** A transaction that is not to be seen: the last height at which it could land, and a slot at which it had not yet. */
export type Absent = { signature: string; blockhash: string; lastHeight: bigint; sinceSlot: bigint }

/**
 * What the nodes know of a transaction that is not to be seen. `status`: one of them sees it after all. `gone`: it missed its time, and
 * a single node proves all of it: its finalized height is past the last one, it would not take the blockhash any more, and it knows every
 * transaction from before the claim to that height. No other one objects but nodes that follow the chain no more (`stuck`, by their places). `early`: it may still come. `unknown`: its time is
 * over, and no node remembers all of it.
 */
export type Absence = { see: 'status'; status: SvmStatus } | { see: 'gone' | 'early' | 'unknown' }

/** Judges what the nodes testify of an absence. */
export function judgeAbsence(
  { signature, blockhash, lastHeight, sinceSlot }: Absent,
  heard: readonly SignatureReport[],
  stuck: ReadonlySet<number> = new Set(),
): Absence {
  const statuses = heard.flatMap(({ statuses }) => statuses.get(signature) ?? [])
  const status = statuses.find(({ failed }) => failed === null) ?? statuses[0]
  if (status) return { see: 'status', status }
  const taking = heard.filter(({ validBlockhashes }) => validBlockhashes.has(blockhash))
  const over = heard.filter((one) => one.finalized.height > lastHeight && !taking.includes(one))
  if (over.length === 0 || taking.some(({ index: place }) => !stuck.has(place))) return { see: 'early' }
  const knowing = over.some(({ firstSlot, finalized, slot }) => firstSlot <= sinceSlot && slot >= finalized.slot)
  return { see: knowing ? 'gone' : 'unknown' }
}

/** Whether a landed transaction is not in the chain any more: some node knows its slot's time without it, and none has it without an error. */
export function hasLeft({ signature, slot }: { signature: string; slot: bigint }, heard: readonly SignatureReport[]): boolean {
  const sightings = heard.map((one) => ({ one, status: one.statuses.get(signature) ?? null }))
  if (sightings.some(({ status }) => status && status.failed === null)) return false
  return sightings.some(({ one, status }) => (status && status.failed !== null) || (one.firstSlot <= slot && one.slot >= slot))
}
