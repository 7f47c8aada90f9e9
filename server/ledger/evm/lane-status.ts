import type { Hex } from 'viem'
import type { EvmChain } from '../../chains/evm/chain'
import type { Log } from '../../log'

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

/** How many transactions of a signer its chain knows: in blocks, and with those that wait for one. */
export type ChainCount = { mined: bigint; pending: bigint }

/** Asks the chain, both in one round trip. Throws when the node does not answer. */
export async function countOn(chain: Pick<EvmChain, 'transactionCount' | 'pendingCount'>, address: Hex): Promise<ChainCount> {
  const [mined, pending] = await Promise.all([chain.transactionCount(address), chain.pendingCount(address)])
  return { mined, pending }
}

/** All that it knows: the part of a node that holds what waits may lag behind the one that has the blocks. */
export function knownOf({ mined, pending }: ChainCount): bigint {
  return pending > mined ? pending : mined
}

/** Asks for a second opinion before a lane is taken out of service for good. */
export type SecondLook = {
  /** Whether two looks agree: those of two endpoints, or two of the only one that answers, a moment apart. */
  agrees(holds: (count: ChainCount) => boolean): Promise<boolean>
  /** The last look was sound: what was seen before counts no more. */
  forget(): void
}

const APART_MS = 500

/** Looks at a signer's counts through every endpoint by itself. */
export function createSecondLook(chain: Pick<EvmChain, 'countsOfNodes'>, address: Hex): SecondLook {
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
 * The nonce at which a quarantined lane may go on: its own while the chain knows nothing beyond the ledger, else the one after all that
 * is mined. Null while something that the ledger does not know waits for a block: it may land, or leave a gap.
 */
export function nonceAfter(ledger: bigint, count: ChainCount): bigint | null {
  if (knownOf(count) <= ledger) return ledger
  return count.pending > count.mined ? null : count.mined
}
