import type { Due } from '../store/due'
import { recordUnsent } from '../store/landings'
import { findReturned, type ReturnedClaim } from '../store/returned'
import { queuedOf } from './handoff'
import type { RecoveryOptions, Watched } from './recovery'
import { readTransfer } from './transfer'
import { confirms, type Doubt, hasExpired } from './verdict'

/** A transaction of its own may be mined without a transfer this often; then only its end can come. */
const RETURNS_MAX = 2

/** Claims whose earlier transaction was mined without them: they are signed once more, alone, or come to their end when their authorization has. */
export async function signAgain(options: RecoveryOptions, watched: Watched, due: Due[]): Promise<void> {
  const ids = due.filter(({ state }) => state === 'CLAIMED').map(({ id }) => id)
  const claims = await findReturned(options.db, ids)
  if (claims.length === 0) return
  const head = await watched.chain.head()
  for (const claim of claims) {
    if (hasExpired(claim, head)) await end(options, watched, claim)
    else if (claim.returns <= RETURNS_MAX) {
      const item = { ...queuedOf(claim, head.baseFee, Number.POSITIVE_INFINITY), alone: true }
      options.requeue(claim.network, claim.laneClass, item)
    }
  }
}

async function end(options: RecoveryOptions, watched: Watched, claim: ReturnedClaim): Promise<void> {
  const { chain } = watched
  const { settlementId, txHash } = claim
  const { doubts } = options
  const head = await chain.head()
  const used = await chain.authorizationUsed(readTransfer(claim.transfer).authorization, head)
  const seen: Doubt = { kind: 'absent', block: head.number, at: performance.now(), used }
  const earlier = doubts.get(settlementId)
  if (!earlier || earlier.used !== used) return void doubts.set(settlementId, seen)
  if (!confirms(earlier, seen, BigInt(options.finalityDepth), options.recheckMs)) return
  doubts.delete(settlementId)
  const to = used ? 'USED_ELSEWHERE' : 'EXPIRED'
  const state = await recordUnsent(options.db, settlementId, { to, reason: REASONS[to], txHash: txHash ?? '' })
  options.wake(settlementId)
  options.log.warn({ settlementId, network: claim.network, state }, 'failed')
}

const REASONS = {
  USED_ELSEWHERE: 'authorization_used_elsewhere',
  EXPIRED: 'invalid_exact_evm_payload_authorization_valid_before',
} as const
