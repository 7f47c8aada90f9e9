import type { Hex } from 'viem'
import type { Log } from '../../base/log'
import type { EvmChain } from '../../chains/evm/chain'

/** Why a lane can or cannot take work. */
export type LaneStatus =
  | 'starting'
  | 'ready'
  | 'stuck'
  | 'leased elsewhere'
  | 'wrong chain'
  | 'quarantined'
  | 'low balance'
  | 'stopped'

const UNWELL: ReadonlySet<LaneStatus> = new Set(['wrong chain', 'quarantined', 'low balance'])

/** Logs a change of a lane's status, as a warning when an operator should look. */
export function logStatus(
  log: Log,
  lane: Record<'network' | 'address', string> & Record<string, string>,
  from: LaneStatus,
  to: LaneStatus,
): void {
  if (from === to) return
  if (UNWELL.has(to)) log.warn({ ...lane, from, to }, 'lane')
  else log.info({ ...lane, from, to }, 'lane')
}

/** A signer's transaction count on its chain: mined, and with pending ones. */
export type ChainCount = { mined: bigint; pending: bigint }

/** Reads both counts in one round trip. Throws when the node does not answer. */
export async function countOn(chain: Pick<EvmChain, 'transactionCount' | 'pendingCount'>, address: Hex): Promise<ChainCount> {
  const [mined, pending] = await Promise.all([chain.transactionCount(address), chain.pendingCount(address)])
  return { mined, pending }
}

/** The higher count: a node's pending view may lag behind its blocks. */
export function knownOf({ mined, pending }: ChainCount): bigint {
  return pending > mined ? pending : mined
}

/** A second check before a lane is quarantined. */
export type SecondCheck = {
  /** Whether two checks agree: at two endpoints, or two at the only one that answers, a moment apart. */
  agrees(holds: (count: ChainCount) => boolean): Promise<boolean>
  /** The last check found nothing wrong: earlier findings no longer count. */
  forget(): void
}

const APART_MS = 500

/** Reads a signer's counts from each endpoint separately. */
export function createSecondCheck(chain: Pick<EvmChain, 'countsOfNodes'>, address: Hex): SecondCheck {
  let seenAt: number | null = null
  return {
    async agrees(holds) {
      const counts = await chain.countsOfNodes(address)
      const agreeing = counts.filter(holds).length
      if (counts.length > 1) return agreeing > 1
      if (agreeing === 0) return false
      seenAt ??= performance.now()
      return performance.now() - seenAt >= APART_MS
    },
    forget() {
      seenAt = null
    },
  }
}

/**
 * The nonce at which a quarantined lane may continue: its own while the chain knows no more than the ledger, else the next after all
 * mined ones. Null while an unknown transaction is pending: it may land, or leave a gap.
 */
export function nonceAfter(ledger: bigint, count: ChainCount): bigint | null {
  if (knownOf(count) <= ledger) return ledger
  return count.pending > count.mined ? null : count.mined
}
