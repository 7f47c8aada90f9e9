import type { EvmChain } from '../chains/evm/chain'
import type { Head } from '../chains/evm/head'
import type { Receipt } from '../chains/evm/receipt'
import type { Log } from '../log'
import type { RemoteRow } from '../store/remotes'
import type { Authorization } from '../x402/payment'
import { asHash } from './tracked'
import { readTransfer } from './transfer'
import type { Doubt } from './verdict'

/** So many blocks are searched again and again: a replica that lags behind the head may have left something out. */
const BLOCKS_AGAIN = 500n

/** A settlement that is looked for on the chain. Milliseconds are of a clock that never jumps. */
export type Sought = {
  row: RemoteRow
  authorization: Authorization
  /** Transactions that used its authorization, by the chain's logs. */
  found: Set<`0x${string}`>
  /** The first block that was not searched for good. */
  next: bigint
  doubt: Doubt | null
  /** The chain has not been asked since it was handed over or answered for. */
  fresh: boolean
  trackedAt: number
}

/** A settlement that is to be looked for. */
export function seeking(row: RemoteRow, now: number): Sought {
  const { authorization } = readTransfer(row.transfer)
  return { row, authorization, found: new Set(), next: row.sinceBlock, doubt: null, fresh: true, trackedAt: now }
}

/** Searches the logs for uses of these settlements' authorizations, up to the head. Returns those whose search is complete. */
export async function search(chain: EvmChain, entries: Sought[], head: Head, log: Log): Promise<Set<Sought>> {
  const complete = new Set<Sought>()
  for (const from of new Set(entries.map(({ next }) => next))) {
    const group = entries.filter(({ next }) => next === from)
    try {
      const authorizations = group.map(({ authorization }) => authorization)
      for (const use of await chain.uses(authorizations, { from, to: head.number }))
        for (const { authorization, found } of group)
          if (authorization.from === use.from && authorization.nonce === use.nonce) found.add(use.hash)
      for (const entry of group) complete.add(entry)
      const settled = head.number - BLOCKS_AGAIN
      for (const entry of group) if (settled > entry.next) entry.next = settled
    } catch (error) {
      // A node without logs still has receipts: what was told can be looked up.
      log.warn({ err: error, network: chain.network }, 'the logs cannot be searched now')
    }
  }
  return complete
}

/** The receipts of everything that was told or found, by settlement. */
export async function readReceipts(chain: EvmChain, entries: Sought[]): Promise<Map<Sought, (Receipt | Error | null)[]>> {
  const hashes = new Map(entries.map((entry) => [entry, hashesOf(entry)]))
  const asked = [...new Set([...hashes.values()].flat())]
  const receipts = await chain.receipts(asked)
  const byHash = new Map(asked.map((hash, at) => [hash, receipts[at] ?? null]))
  return new Map([...hashes].map(([entry, own]) => [entry, own.map((hash) => byHash.get(hash) ?? null)]))
}

function hashesOf({ row, found }: Sought): `0x${string}`[] {
  return [...(row.txHash ? [asHash(row.txHash)] : []), ...found]
}
