import { provesTransfer, type Receipt } from '../../chains/evm/receipts'
import type { Head } from '../../chains/evm/rpc'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import type { AttemptKind, Member } from '../statements/slots'
import type { FailedState } from '../states'

/** A settlement in a slot, with what was seen of it so far. */
export type SlotMember = {
  member: Member
  transfer: SignedTransfer
  /** Its outcome in this slot is known; only the nonce still has to be used. */
  decided: boolean
  doubt: Doubt | null
}

/** The transaction that used a slot's nonce. */
export type Mined = { kind: AttemptKind; receipt: Receipt }

/** A first reason to think that a transfer failed: a second look must agree. Times are monotonic milliseconds. */
export type Doubt = { kind: DoubtKind; block: bigint; at: number; used: boolean }

/** Why we doubt: mined and reverted; mined without its logs; its nonce used by a no-op; or not mined and expired. */
export type DoubtKind = 'reverted' | 'silent' | 'displaced' | 'absent'

/** What one look at the chain shows of a transfer. */
export type Sighting = 'landed' | 'waiting' | 'mined' | DoubtKind

/** Facts about a transfer beside what was seen. */
export type Circumstances = {
  /** Its transaction has other members too, so its status says nothing about this one. */
  shared: boolean
  /** The chain would refuse it by now. */
  expired: boolean
  /** Our own transaction may have used the authorization. */
  mayBeOurs: boolean
  /** Our own transaction used it, and the token moved or logged something else. */
  lied: boolean
}

/**
 * Judges one look. A failure is only doubted here; `confirms` says when a second look may conclude. `over`: no more logs of it can
 * appear, because its time is over or its token lied.
 */
export function sight(
  { member, transfer }: SlotMember,
  shared: boolean,
  mined: Mined | null,
  head: Head,
  depth: bigint,
  over = false,
): Sighting {
  const expired = hasExpired(member, head)
  if (!mined) return expired ? 'absent' : 'waiting'
  const { kind, receipt } = mined
  if (kind !== 'noop' && provesTransfer(receipt, transfer)) return 'landed'
  // A shallow block may still vanish, and with it the nonce it used.
  if (head.number - receipt.block < depth) return 'waiting'
  if (kind === 'noop') return 'displaced'
  if (!receipt.succeeded) return 'reverted'
  // A lone USDC transfer cannot succeed without its logs: such a receipt is doubted only when the transfer can no longer happen.
  // A transaction that also deploys its payer succeeds without it.
  return shared || expired || over || transfer.proof === 'factory' ? 'silent' : 'mined'
}

/** Whether the newest block would refuse the transfer for its age. */
export function hasExpired({ expiresAt }: Pick<Member, 'expiresAt'>, head: Head): boolean {
  return head.timestamp > expiresAt
}

/** Whether a payment is no longer sent, because its time since the claim is over. `now` is Unix seconds. */
export function isOverdue({ claimedAt }: Pick<Member, 'claimedAt'>, now: bigint, horizonMs: number): boolean {
  return (now - claimedAt) * 1_000n > BigInt(horizonMs)
}

/** Whether a look agrees with an earlier doubt and is late enough to count as another look. Mined ones are already deep. */
export function confirms(doubt: Doubt, look: Doubt, depth: bigint, patienceMs: number): boolean {
  if (doubt.kind !== look.kind || doubt.used !== look.used) return false
  if (look.kind === 'absent') return look.block - doubt.block >= depth
  return look.block > doubt.block || look.at - doubt.at >= patienceMs
}

/**
 * What a confirmed doubt proves: a failure, or that the transfer did not happen and still can (`CLAIMED`: it gets another slot). Null
 * when the facts contradict each other: the authorization is used, and our own transaction may have used it.
 */
export function conclusion(
  { kind, used }: Doubt,
  { shared, expired, mayBeOurs, lied }: Circumstances,
): Exclude<FailedState, 'UNPAID'> | 'CLAIMED' | null {
  const unused = expired ? 'EXPIRED' : 'CLAIMED'
  if (kind === 'absent') return used ? (mayBeOurs ? null : 'USED_ELSEWHERE') : 'EXPIRED'
  if (kind === 'displaced') return used ? 'USED_ELSEWHERE' : unused
  if (kind === 'silent' && used && lied) return 'REVERTED'
  if (kind === 'silent' && !shared) return used ? null : 'REVERTED'
  if (used) return mayBeOurs ? null : 'USED_ELSEWHERE'
  return shared ? unused : 'REVERTED'
}
