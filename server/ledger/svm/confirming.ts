import { LRUCache } from 'lru-cache'
import { atMost } from '../../base/at-most'
import type { SvmChain } from '../../chains/svm/chain'
import type { SvmStatus } from '../../chains/svm/statuses'
import { payingTransfers } from '../../x402/schemes/exact/svm/smart-wallet'
import type { SvmTransaction } from '../../x402/schemes/exact/svm/transaction'
import type { SvmFailure, SvmLanding, SvmSettlement } from './statements'

/** Searches for the transfers of smart wallets' transactions that succeeded, and records what the chain shows. */
type Confirming = {
  /** Checks one in the background, at most once a second. */
  confirm(row: SvmSettlement, transaction: SvmTransaction, status: SvmStatus): void
  stop(): Promise<void>
}

type ConfirmingOptions = {
  chain: Pick<SvmChain, 'transfers'>
  land: (landings: SvmLanding[]) => Promise<void>
  fail: (failure: SvmFailure, failed: SvmLanding[]) => Promise<void>
  onTrouble: (error: unknown) => void
}

const AGAIN_MS = 1_000
const CHECKED_MAX = 10_000
const UNCONFIRMED: SvmFailure = {
  to: 'REVERTED',
  reason: 'post_settlement_transfer_not_confirmed',
  counts: 'everywhere',
}

/**
 * Starts without work. A transaction may succeed and its programs have done something else than in the simulation: the transfer must be
 * among its effects. That it is not counts only when the transaction is final.
 */
export function createConfirming({ chain, land, fail, onTrouble }: ConfirmingOptions): Confirming {
  const checked = new LRUCache<string, true>({ ...atMost(CHECKED_MAX), ttl: AGAIN_MS })
  const checking = new Set<Promise<void>>()

  async function conclude({ settlementId, ...row }: SvmSettlement, transaction: SvmTransaction, isFinal: boolean): Promise<void> {
    const found = await chain.transfers(row.signature, transaction)
    if (!found) return
    const landing = { settlementId, slot: found.slot }
    if (payingTransfers(row, found.transfers).length > 0) await land([landing])
    else if (isFinal) await fail(UNCONFIRMED, [landing])
  }

  return {
    confirm(row, transaction, { commitment }) {
      if (checked.has(row.settlementId)) return
      checked.set(row.settlementId, true)
      const work = conclude(row, transaction, commitment === 'finalized')
        .catch(onTrouble)
        .finally(() => checking.delete(work))
      checking.add(work)
    },
    async stop() {
      await Promise.all(checking)
    },
  }
}
