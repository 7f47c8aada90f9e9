import type { Head } from '../chains/evm/head'
import { provesTransfer, type Receipt } from '../chains/evm/receipt'
import { usesUp } from '../chains/evm/uses'
import type { RemoteRow } from '../store/remotes'
import type { Authorization } from '../x402/payment'
import { hasExpired } from './verdict'

/** Who may have sent for a settlement in another facilitator's hands: the transaction it told, and its addresses when they are known. */
export type Attribution = { told: string | null; senders: readonly string[] | null }

/**
 * What one look at the chain says of a settlement in another facilitator's hands: its transfer is there; another transaction has used
 * its authorization, deep; it is not there and cannot come any more; or nothing yet.
 */
export type RemoteSighting = { see: 'landed' | 'displaced'; receipt: Receipt } | { see: 'absent' | 'waiting' }

/** Judges one look at the receipts of the transactions that were told or found. Failures are only ever doubted here: a second look has to agree. */
export function sightRemote(
  { asset, expiresAt }: Pick<RemoteRow, 'asset' | 'expiresAt'>,
  authorization: Authorization,
  receipts: readonly (Receipt | Error | null)[],
  { told, senders }: Attribution,
  { head, depth }: { head: Head; depth: bigint },
): RemoteSighting {
  const readable = receipts.filter((receipt): receipt is Receipt => receipt !== null && !(receipt instanceof Error))
  const proofs = readable.filter((receipt) => provesTransfer(receipt, asset, authorization))
  const own = proofs.find(({ hash, sender }) => hash === told || (sender !== null && senders?.includes(sender)))
  if (own) return { see: 'landed', receipt: own }
  const use = readable.find((receipt) => usesUp(receipt, asset, authorization))
  if (use) {
    // A shallow block may still vanish, and with it what was done in it.
    if (head.number - use.block < depth) return { see: 'waiting' }
    // Somebody made this very transfer: whether the facilitator did is not known before it has told who sends for it.
    if (proofs.length > 0 && senders === null) return { see: 'waiting' }
    return { see: 'displaced', receipt: use }
  }
  // What could not be read may be the transfer.
  if (receipts.some((receipt) => receipt instanceof Error)) return { see: 'waiting' }
  return { see: hasExpired({ expiresAt }, head) ? 'absent' : 'waiting' }
}
