import type { Log } from '../base/log'
import type { EvmChain } from '../chains/evm/chain'
import type { AuthorizationState } from '../chains/evm/preflight'
import type { Db } from '../db/database'
import { safeDepth } from '../x402/networks/finality'
import type { SignedTransfer } from '../x402/schemes/evm-method'
import { methodFor, readKnownTransfer, readTransfer } from '../x402/schemes/evm-methods'
import { leftBefore } from './evm/failing'
import { type Queued, queuedOf } from './evm/queue'
import { isShownTwice } from './evm/second-endpoint'
import { confirms, hasExpired, type SuspectedFailure } from './evm/verdict'
import type { Watcher } from './evm/watcher'
import type { FinalityWatch } from './finality'
import { type Failing, recordUnsent } from './statements/landings'
import type { LaneClass } from './statements/lanes'
import type { Counts } from './statements/payer-failures'
import { findReturned, type ReturnedClaim } from './statements/returned-claims'
import type { Due } from './statements/settlements'
import type { SvmSubmitter } from './svm/submitter'
import { MAY_BE_SENT_AGAIN } from './unpaid'
import { factsOfUse } from './uses'

/** How often a payment that came back from a transaction is sent again, alone. */
const RETURNS_MAX = 1

/**
 * Handles claims that came back: a transaction was mined deep without them, so nothing of ours can still move their money. Each is sent
 * once more, alone, or fails with the chain's reason (docs/engine.md "Payments that come back").
 */
export async function signAgain(options: RecoveryOptions, watched: Watched, due: Due[]): Promise<void> {
  const ids = due.filter(({ state }) => state === 'CLAIMED').map(({ id }) => id)
  const returned = await findReturned(options.db, ids, options.horizonMs)
  if (returned.length === 0) return
  const head = await watched.chain.head()
  // What a newer build claimed is left to it.
  const known = returned.flatMap((claim) => {
    const transfer = readKnownTransfer(claim.transfer, claim.asset)
    return transfer ? [{ claim, transfer }] : []
  })
  if (known.length === 0) return
  const claims = known.map(({ claim }) => claim)
  const transfers = known.map(({ transfer }) => transfer)
  const states = await watched.chain.authorizationStates(transfers)
  const headroom = new Map<string, bigint>()
  for (const [at, claim] of claims.entries()) {
    const state = states[at]
    const transfer = transfers[at]
    if (!state || !transfer) continue
    const { from, value } = transfer.authorization
    const account = `${transfer.asset} ${from}`
    const left = (headroom.get(account) ?? state.balance) - value
    const expired = hasExpired(claim, head)
    const needed = state.balance - left
    if (state.used) await endByChecks(options, watched, claim)
    else if (left < 0n) {
      if (await isUnused(watched.chain, transfer, ({ balance }) => balance < needed))
        await fail(options, claim, short(claim, transfer, expired))
    } else if (expired) await endByChecks(options, watched, claim)
    else if (claim.overdue || claim.returns > RETURNS_MAX) {
      if (await isUnused(watched.chain, transfer, () => true)) await fail(options, claim, tooLate(claim, transfer))
    } else {
      headroom.set(account, left)
      options.requeue(claim.network, claim.laneClass, queuedOf(claim, transfer, head.baseFee, Number.POSITIVE_INFINITY))
    }
  }
}

/** Ends a claim that came back and would not be paid in its next transaction either. */
export async function endReturned(options: RecoveryOptions, settlementId: string): Promise<void> {
  const [claim] = await findReturned(options.db, [settlementId], options.horizonMs)
  const watched = claim && options.networks.get(claim.network)
  const transfer = claim && readKnownTransfer(claim.transfer, claim.asset)
  if (!claim || !watched || !transfer) return
  const [state] = await watched.chain.authorizationStates([transfer])
  if (!state) return
  if (state.used) return endByChecks(options, watched, claim)
  const isShort = ({ balance }: AuthorizationState) => balance < transfer.authorization.value
  if (await isUnused(watched.chain, transfer, (one) => isShort(one) === isShort(state)))
    await fail(options, claim, whyUnpaid(claim, state, transfer))
}

/** Whether two endpoints show that an authorization is unused, and the same of its payer. */
function isUnused(chain: EvmChain, transfer: SignedTransfer, holds: (state: AuthorizationState) => boolean): Promise<boolean> {
  return isShownTwice(chain, async (one) => {
    const [state] = await one.authorizationStates([transfer])
    return state !== undefined && !state.used && holds(state)
  })
}

function whyUnpaid(claim: ReturnedClaim, { balance }: AuthorizationState, transfer: SignedTransfer): Failing<'UNPAID'> {
  if (balance < transfer.authorization.value) return short(claim, transfer, false)
  const detail = `Transaction ${claim.txHash} was mined without this payment. The transfer would fail now, or the payer's other payments leave too little for it.`
  return failedLater(claim, transfer, `${detail} ${MAY_BE_SENT_AGAIN}`, 'at its party')
}

function short({ txHash }: ReturnedClaim, transfer: SignedTransfer, expired: boolean): Failing<'UNPAID'> {
  const left = leftBefore(txHash ?? '')
  const detail = expired ? left : `${left} ${MAY_BE_SENT_AGAIN}`
  return { to: 'UNPAID', reason: methodFor(transfer).reasons.short, txHash: txHash ?? '', detail, counts: 'everywhere' }
}

function tooLate(claim: ReturnedClaim, transfer: SignedTransfer): Failing<'UNPAID'> {
  const detail = `Transaction ${claim.txHash} was mined without this payment, and it could not be sent again in time. ${MAY_BE_SENT_AGAIN}`
  return failedLater(claim, transfer, detail, 'nowhere')
}

const failedLater = ({ txHash }: ReturnedClaim, transfer: SignedTransfer, detail: string, counts: Counts): Failing<'UNPAID'> => ({
  to: 'UNPAID',
  reason: methodFor(transfer).reasons.failed,
  txHash: txHash ?? '',
  detail,
  counts,
})

/** Ends a claim when two checks, a finality depth apart, agree: its authorization is used, or expired unused. */
async function endByChecks(options: RecoveryOptions, { chain }: Watched, claim: ReturnedClaim): Promise<void> {
  const { settlementId, txHash } = claim
  const { suspected } = options
  const head = await chain.head()
  const transfer = readTransfer(claim.transfer, claim.asset)
  const used = await chain.authorizationUsed(transfer, head)
  // A reorganisation may have undone the use: the next round decides.
  if (!used && !hasExpired(claim, head)) return void suspected.delete(settlementId)
  const seen: SuspectedFailure = { kind: 'absent', block: head.number, at: performance.now(), used }
  const earlier = suspected.get(settlementId)
  if (!earlier || earlier.used !== used) return void suspected.set(settlementId, seen)
  if (!confirms(earlier, seen, BigInt(safeDepth(chain.network, options.finalityDepth)), options.recheckMs)) return
  const agreed = await isShownTwice(chain, async (one) => {
    const itsHead = await one.head()
    return (await one.authorizationUsed(transfer, itsHead)) === used && (used || hasExpired(claim, itsHead))
  })
  if (!agreed) return
  suspected.delete(settlementId)
  const common = { txHash: txHash ?? '' }
  if (!used) {
    // What counts is that a transaction was mined without it, not that it expired since.
    const counts = claim.missed ? 'at its party' : 'nowhere'
    return fail(options, claim, { ...common, to: 'EXPIRED', reason: methodFor(transfer).reasons.expired, counts })
  }
  const facts = await factsOfUse(chain, transfer, options.log)
  await fail(options, claim, { ...common, to: 'USED_ELSEWHERE', reason: 'authorization_used_elsewhere', ...facts })
}

async function fail(
  { db, suspected, wake, log }: RecoveryOptions,
  { settlementId, network }: ReturnedClaim,
  failing: Failing<'USED_ELSEWHERE' | 'EXPIRED' | 'UNPAID'>,
): Promise<void> {
  suspected.delete(settlementId)
  const state = await recordUnsent(db, settlementId, failing)
  wake(settlementId)
  log.warn({ settlementId, network, state, reason: failing.reason }, 'failed')
}

/** A network with its watcher. */
export type Watched = { chain: EvmChain; watcher: Watcher }
export type RecoveryOptions = {
  db: Db
  networks: ReadonlyMap<string, Watched>
  clusters: ReadonlyMap<string, SvmSubmitter>
  recheckMs: number
  finalityDepth: number
  /** How long after its claim a payment is sent, milliseconds. */
  horizonMs: number
  wake: (settlementId: string) => void
  /** What first checks showed of claims that seem to have ended, by settlement; an entry ends with its claim. */
  suspected: Map<string, SuspectedFailure>
  /** Queues a claim at a lane; false when no lane takes it now. */
  requeue: (network: string, laneClass: LaneClass, item: Queued) => boolean
  /** Follows the finality of blocks. */
  finality: Pick<FinalityWatch, 'expect'>
  /** Watches settlements at other facilitators. */
  watchRemote: (due: Due[]) => Promise<void>
  log: Log
}
