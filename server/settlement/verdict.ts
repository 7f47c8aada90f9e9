import type { SignedTransfer } from '../chains/evm/chain'
import type { Head } from '../chains/evm/head'
import { provesTransfer, type Receipt } from '../chains/evm/receipt'
import type { OpenAttempt } from '../store/slots'

/** An attempt under watch, with what was seen of it so far. Milliseconds are of a clock that never jumps. */
export type Tracked = {
  attempt: OpenAttempt
  /** The signer's address. */
  from: `0x${string}`
  transfer: SignedTransfer
  /** Terminal already; only its nonce still has to be used. */
  decided: boolean
  mined: boolean
  /** The node has not been asked since the attempt came under watch. */
  fresh: boolean
  sentAt: number
  doubt: Doubt | null
}

/** A first reason to think that the transfer failed. One look proves nothing: a second one has to agree. */
export type Doubt = { kind: DoubtKind; block: bigint; at: number; used: boolean }

/** What makes us doubt: mined and reverted; mined without its logs; or not mined when it no longer can be. */
export type DoubtKind = 'reverted' | 'silent' | 'absent'

/** What one look at the chain says of an attempt. */
export type Sighting = 'landed' | 'waiting' | 'mined' | DoubtKind

/** Judges one look. Failures are only ever doubted here; `confirms` says when a second look may conclude. */
export function sight({ attempt, transfer }: Tracked, receipt: Receipt | null, head: Head, depth: bigint): Sighting {
  const expired = head.timestamp > attempt.expiresAt
  if (!receipt) return expired ? 'absent' : 'waiting'
  if (provesTransfer(receipt, attempt.asset, transfer.authorization)) return 'landed'
  // A shallow block may still vanish, and with it the nonce it used.
  if (head.number - receipt.block < depth) return 'waiting'
  if (!receipt.succeeded) return 'reverted'
  // USDC cannot succeed without its logs: a receipt that says so is doubted only when the transfer could not happen any more.
  return expired ? 'silent' : 'mined'
}

/** Whether a look agrees with an earlier doubt, late enough to be another look. */
export function confirms(doubt: Doubt, look: Doubt, depth: bigint, patienceMs: number): boolean {
  if (doubt.kind !== look.kind || doubt.used !== look.used) return false
  if (look.kind !== 'reverted') return look.block - doubt.block >= depth
  return look.block > doubt.block || look.at - doubt.at >= patienceMs
}

/**
 * The failure that a confirmed doubt proves. Null when the facts contradict each other: the authorization was used and our
 * own transaction may be the one that used it.
 */
export function failureOf(doubt: Doubt, mayBeOurs: boolean): 'REVERTED' | 'USED_ELSEWHERE' | 'EXPIRED' | null {
  if (doubt.kind === 'reverted') return doubt.used ? 'USED_ELSEWHERE' : 'REVERTED'
  if (!doubt.used) return doubt.kind === 'silent' ? 'REVERTED' : 'EXPIRED'
  return doubt.kind === 'absent' && !mayBeOurs ? 'USED_ELSEWHERE' : null
}
