import { provesTransfer, type Receipt } from '../../chains/evm/receipts'
import type { Head } from '../../chains/evm/rpc'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { methodFor } from '../../x402/schemes/evm-methods'
import type { AttemptKind, Member } from '../statements/slots'
import type { FailedState } from '../states'

/** A settlement in a slot, with what was seen of it so far. */
export type SlotMember = {
  member: Member
  transfer: SignedTransfer
  /** Its outcome in this slot is known; only the nonce still has to be used. */
  decided: boolean
  suspected: SuspectedFailure | null
}

/** The transaction that used a slot's nonce. */
export type Mined = { kind: AttemptKind; receipt: Receipt }

/** A failure that one check showed: a second check must agree. Times are monotonic milliseconds. */
export type SuspectedFailure = { kind: FailureKind; block: bigint; at: number; used: boolean }

/** How it seems to have failed: mined and reverted; mined without its logs; its nonce used by a no-op; or not mined and expired. */
export type FailureKind = 'reverted' | 'unlogged' | 'displaced' | 'absent'

/** What one check of the chain shows of a transfer. */
export type Observation = 'landed' | 'waiting' | 'mined' | FailureKind

/** Further facts about a transfer. */
export type Circumstances = {
  /** Its transaction has other members too, so its status says nothing about this one. */
  shared: boolean
  /** Its transaction also deploys its payer, and may succeed without it. */
  deploys: boolean
  /** The chain would refuse it by now. */
  expired: boolean
  /** Our own transaction may have used the authorization. */
  mayBeOurs: boolean
  /** Our own transaction used it, and the token moved or logged something else. */
  lied: boolean
  /** What a success without its log shows; null where it cannot succeed without. */
  silent: ReturnType<typeof silentEnd>
  /** Its time since the claim is over: logs that no node had until now will not appear. */
  over: boolean
}

/**
 * Judges one check. A failure is only suspected here; `confirms` says when a second check may conclude. `over`: no more logs of it can
 * appear, because its time is over or its token lied.
 */
export function observe(
  { member, transfer }: SlotMember,
  shared: boolean,
  mined: Mined | null,
  head: Head,
  depth: bigint,
  over = false,
): Observation {
  const expired = hasExpired(member, head)
  if (!mined) return expired ? 'absent' : 'waiting'
  const { kind, receipt } = mined
  if (kind !== 'noop' && provesTransfer(receipt, transfer)) return 'landed'
  // A shallow block may still vanish, and with it the nonce it used.
  if (head.number - receipt.block < depth) return 'waiting'
  if (kind === 'noop') return 'displaced'
  if (!receipt.succeeded) return 'reverted'
  // A lone USDC transfer cannot succeed without its logs: such a receipt is a suspected failure only when the transfer can no longer happen.
  // A transaction that also deploys its payer succeeds without it, and an act where someone did the same before.
  const may = transfer.proof === 'factory' || silentEnd(transfer) !== null
  return shared || expired || over || may ? 'unlogged' : 'mined'
}

/**
 * What a successful transaction without a log of it shows: where the chain has what it does, it was done before or moved nothing; where it does
 * not, nothing was there to move, as after a reorganisation. Null: that cannot be.
 */
export function silentEnd(transfer: SignedTransfer): { used: 'INCLUDED' | 'UNPAID'; unused: 'UNPAID' | null } | null {
  const { isDoneBySuccess, reasons } = methodFor(transfer)
  if (isDoneBySuccess) return { used: 'INCLUDED', unused: reasons.empty ? 'UNPAID' : null }
  return reasons.empty ? { used: 'UNPAID', unused: null } : null
}

/** Whether the newest block would refuse the transfer for its age. */
export function hasExpired({ expiresAt }: Pick<Member, 'expiresAt'>, head: Head): boolean {
  return head.timestamp > expiresAt
}

/** Whether a payment is no longer sent, because its time since the claim is over. `now` is Unix seconds. */
export function isOverdue({ claimedAt }: Pick<Member, 'claimedAt'>, now: bigint, horizonMs: number): boolean {
  return (now - claimedAt) * 1_000n > BigInt(horizonMs)
}

/** Whether a second check agrees with the first and is late enough to count as another one. Mined transactions are already deep. */
export function confirms(first: SuspectedFailure, second: SuspectedFailure, depth: bigint, patienceMs: number): boolean {
  if (first.kind !== second.kind || first.used !== second.used) return false
  if (second.kind === 'absent') return second.block - first.block >= depth
  return second.block > first.block || second.at - first.at >= patienceMs
}

/**
 * What a confirmed failure proves: a failure, or that the transfer did not happen and still can (`CLAIMED`: it gets another slot). Null
 * when the facts contradict each other: the authorization is used, and our own transaction may have used it. `UNPAID`: our transaction was
 * mined without it, so no bytes of ours can move the money any more. `INCLUDED`: what it does was done before, so it landed.
 */
export function conclusion(
  { kind, used }: SuspectedFailure,
  { shared, deploys, expired, mayBeOurs, lied, silent, over }: Circumstances,
): FailedState | 'CLAIMED' | 'INCLUDED' | null {
  if (kind === 'unlogged' && silent) return (used ? silent.used : silent.unused) ?? (over ? 'REVERTED' : null)
  if (kind === 'absent') return used ? (mayBeOurs ? null : 'USED_ELSEWHERE') : 'EXPIRED'
  if (kind === 'displaced') return used ? 'USED_ELSEWHERE' : expired ? 'EXPIRED' : 'CLAIMED'
  if (kind === 'unlogged' && used && (lied || (over && (mayBeOurs || !shared)))) return 'REVERTED'
  // A lone transfer that succeeded without its logs: one of the node's answers is wrong.
  if (kind === 'unlogged' && !shared) return used ? null : deploys ? 'UNPAID' : 'REVERTED'
  if (used) return mayBeOurs ? null : 'USED_ELSEWHERE'
  return shared && !expired ? 'CLAIMED' : 'UNPAID'
}
