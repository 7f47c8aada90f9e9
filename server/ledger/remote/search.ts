import type { Log } from '../../base/log'
import type { EvmChain } from '../../chains/evm/chain'
import { provesTransfer, type Receipt } from '../../chains/evm/receipts'
import type { Head } from '../../chains/evm/rpc'
import { lacksLogs, usesUp } from '../../chains/evm/uses'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { readKnownTransfer } from '../../x402/schemes/evm-methods'
import { bytesAsHex } from '../evm/tracked'
import { hasExpired, type SuspectedFailure } from '../evm/verdict'
import type { RemoteRow } from './statements'

/** This many blocks are searched again each time: a lagging replica may have missed logs. */
const BLOCKS_AGAIN = 500n

/** A settlement to find on the chain. Times are monotonic milliseconds. */
export type Sought = {
  row: RemoteRow
  transfer: SignedTransfer
  /** Transactions that used its authorization, by the chain's logs. */
  found: Set<`0x${string}`>
  /** The first block that must be searched again. */
  next: bigint
  suspected: SuspectedFailure | null
  /** The chain has not been read since the hand-over or the facilitator's response. */
  fresh: boolean
  trackedAt: number
}

/** The search entry of a settlement; null for one that only a newer build can read. */
export function seeking(row: RemoteRow, now: number): Sought | null {
  const transfer = readKnownTransfer(row.transfer, row.asset)
  if (!transfer) return null
  return {
    row,
    transfer,
    found: new Set(),
    next: row.sinceBlock,
    suspected: null,
    fresh: true,
    trackedAt: now,
  }
}

/** Searches the logs for uses of these settlements' authorizations, up to the head. Returns those whose search is complete. */
export async function search(chain: EvmChain, entries: Sought[], head: Head, log: Log): Promise<Set<Sought>> {
  const complete = new Set<Sought>()
  for (const from of new Set(entries.map(({ next }) => next))) {
    const group = entries.filter(({ next }) => next === from)
    try {
      const transfers = group.map(({ transfer }) => transfer)
      for (const use of await chain.uses(transfers, { from, to: head.number }))
        for (const { transfer, found } of group) if (transfer === use.transfer) found.add(use.hash)
      for (const entry of group) complete.add(entry)
      const settled = head.number - BLOCKS_AGAIN
      for (const entry of group) if (settled > entry.next) entry.next = settled
    } catch (error) {
      // A node without logs still has receipts: reported transactions can be looked up.
      log.warn({ err: error, network: chain.network }, 'the logs cannot be searched now')
    }
  }
  return complete
}

/** The receipts of all reported or found transactions, by settlement. */
export async function readReceipts(chain: EvmChain, entries: Sought[]): Promise<Map<Sought, (Receipt | Error | null)[]>> {
  const hashes = new Map(entries.map((entry) => [entry, hashesOf(entry)]))
  const asked = [...new Set([...hashes.values()].flat())]
  const receipts = await chain.receipts(asked)
  const byHash = new Map(asked.map((hash, at) => [hash, receipts[at] ?? null]))
  return new Map([...hashes].map(([entry, own]) => [entry, own.map((hash) => byHash.get(hash) ?? null)]))
}

function hashesOf({ row, found }: Sought): `0x${string}`[] {
  return [...(row.txHash ? [bytesAsHex(row.txHash)] : []), ...found]
}

/** Which transactions may be the facilitator's: the hash that it reported, and its sender addresses when known. */
export type Attribution = { reported: string | null; senders: readonly string[] | null }

/**
 * What one check shows of a settlement at another facilitator: its transfer landed; another transaction used its authorization, deep; it
 * is missing and expired; or nothing yet.
 */
export type RemoteObservation = { see: 'landed' | 'displaced'; receipt: Receipt } | { see: 'absent' | 'waiting' }

/** Judges one check of the receipts of reported or found transactions. A failure is only suspected here: a second check must agree. */
export function observeRemote(
  { expiresAt }: Pick<RemoteRow, 'expiresAt'>,
  transfer: SignedTransfer,
  receipts: readonly (Receipt | Error | null)[],
  { reported, senders }: Attribution,
  { head, depth }: { head: Head; depth: bigint },
): RemoteObservation {
  const isReadable = (receipt: Receipt | Error | null): receipt is Receipt =>
    receipt !== null && !(receipt instanceof Error) && !lacksLogs(receipt, transfer)
  const readable = receipts.filter(isReadable)
  const proofs = readable.filter((receipt) => provesTransfer(receipt, transfer))
  const own = proofs.find(({ hash, sender }) => hash === reported || (sender !== null && senders?.includes(sender)))
  if (own) return { see: 'landed', receipt: own }
  const use = readable.find((receipt) => usesUp(receipt, transfer))
  if (use) {
    // A shallow block may still vanish, and with it its transactions.
    if (head.number - use.block < depth) return { see: 'waiting' }
    // This exact transfer was made: by the facilitator or not is unknown until its senders are known.
    if (proofs.length > 0 && senders === null) return { see: 'waiting' }
    return { see: 'displaced', receipt: use }
  }
  // An unreadable receipt may be the transfer's.
  if (receipts.some((receipt) => receipt !== null && !isReadable(receipt))) return { see: 'waiting' }
  return { see: hasExpired({ expiresAt }, head) ? 'absent' : 'waiting' }
}
