import type { Log } from '../../base/log'
import type { EvmChain } from '../../chains/evm/chain'
import { type Reason, reasons } from '../../x402/reasons/reasons'
import type { SignedTransfer } from '../../x402/schemes/evm-method'
import { methodFor } from '../../x402/schemes/evm-methods'
import type { Failing } from '../statements/landings'
import type { Counts } from '../statements/payer-failures'
import type { FailedState } from '../states'
import { MAY_BE_SENT_AGAIN, wasShort } from '../unpaid'
import { factsOfUse } from '../uses'
import type { FailureKind, Mined } from './verdict'

/** A member of a slot that failed for certain, as the chain shows it. */
type CertainFailure = {
  to: FailedState
  transfer: SignedTransfer
  kind: FailureKind
  /** The transaction that used the slot's nonce; null while no block took one. */
  mined: Mined | null
  /** The transaction that it names. */
  hash: string
  expired: boolean
  /** Our transaction used its authorization, and no log proves the transfer. */
  isUnproven: boolean
  /** Another member's code burnt gas of the same transaction. */
  burned: boolean
}

/**
 * Why a payment failed, in words, and where it counts. One rule: what counts is that a transaction of ours was mined without it, also when
 * its time has ended since. What no block took counts nowhere.
 */
export async function failingOf(
  chain: Pick<EvmChain, 'authorizationStates' | 'findUse' | 'network'>,
  failure: CertainFailure,
  log: Log,
): Promise<Failing> {
  const { to, transfer, kind, mined, hash, isUnproven } = failure
  if (to === 'USED_ELSEWHERE') {
    const facts = await factsOfUse(chain, transfer, log)
    const counts = kind === 'absent' ? 'nowhere' : facts.counts
    return { to, reason: 'authorization_used_elsewhere', txHash: hash, detail: facts.detail, counts }
  }
  if (to === 'UNPAID' && mined) return unpaid(chain, { ...failure, mined }, log)
  if (to === 'EXPIRED') return { to, reason: methodFor(transfer).reasons.expired, txHash: hash, counts: 'nowhere' }
  // The token's logs are no payer's fault.
  if (isUnproven) return { to, reason: 'landed_without_proof', txHash: hash, counts: 'nowhere' }
  return { to, reason: 'invalid_exact_evm_transfer_event_mismatch', txHash: hash, counts: unexplained(transfer) }
}

async function unpaid(
  chain: Pick<EvmChain, 'authorizationStates' | 'network'>,
  { transfer, kind, mined, hash, expired, burned }: CertainFailure & { mined: Mined },
  log: Log,
): Promise<Failing> {
  const again = (fact: string) => (expired ? fact : `${fact} ${MAY_BE_SENT_AGAIN}`)
  const isShort = await wasShort(chain, transfer, mined.receipt, log)
  const shared = mined.kind === 'batch'
  // A batch that reverted as a whole, or whose gas another member burnt, was mined without honest payments too.
  const ours = shared && (burned || !mined.receipt.succeeded)
  const counts = isShort ? 'everywhere' : ours ? 'nowhere' : unexplained(transfer)
  const common = { to: 'UNPAID', txHash: hash, counts } as const
  if (!shared) {
    const { empty } = methodFor(transfer).reasons
    if (kind === 'unlogged' && empty) return { ...common, reason: empty, counts: 'nowhere' }
    const reason = reasonAlone(transfer, kind)
    const left = `The payer's money left before the block: transaction ${hash} reverted.`
    return { ...common, reason, detail: again(isShort && kind === 'reverted' ? left : reasons[reason]) }
  }
  const { short, expired: late } = methodFor(transfer).reasons
  if (isShort) return { ...common, reason: short, detail: again(leftBefore(hash)) }
  return { ...common, reason: late, detail: `Transaction ${hash} was mined without this payment, and its time is over.` }
}

/** The sentence of a payment whose money had left when its batch was mined. */
export function leftBefore(hash: string): string {
  return `The payer's money left before the block: transaction ${hash} was mined without this payment.`
}

function reasonAlone(transfer: SignedTransfer, kind: FailureKind): Reason {
  if (kind === 'unlogged') return 'invalid_exact_evm_transfer_event_mismatch'
  // The program of a deployment reverts only where the wallet has no code.
  return transfer.proof === 'factory' ? 'smart_wallet_deployment_failed' : methodFor(transfer).reasons.failed
}

// A payer's code is the payer's: it said something else in the check.
const unexplained = ({ proof }: SignedTransfer): Counts => (proof === 'key' ? 'at its party' : 'everywhere')
