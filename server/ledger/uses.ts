import type { Log } from '../base/log'
import type { EvmChain } from '../chains/evm/chain'
import type { Receipt } from '../chains/evm/receipts'
import type { Head } from '../chains/evm/rpc'
import type { FoundUse } from '../chains/evm/uses'
import type { SignedTransfer } from '../x402/schemes/evm-method'
import type { Tracked } from './evm/tracked'
import type { SlotMember } from './evm/verdict'
import type { Counts } from './statements/payer-failures'

/** Whether our own transaction may have used an authorization, although no receipt shows that. Throws when the node does not answer. */
export async function mayHaveUsed(
  chain: EvmChain,
  { slot, from }: Tracked,
  { transfer }: SlotMember,
  receipt: Receipt | null,
  head: Head,
): Promise<boolean> {
  if (!receipt) return (await chain.transactionCount(from, head)) > slot.nonce
  return (await chain.usesIn(transfer, receipt.blockHash)).includes(receipt.hash)
}

/** What is known of the transaction that used an authorization: a sentence, null without one; and where the failure counts. */
type UseFacts = { detail: string | null; counts: Counts }

/**
 * Names the transaction that used an authorization and whether it made this exact transfer. No sentence when the newest 2,000 blocks do
 * not show it or the node does not answer: the failure stands without it.
 */
export async function factsOfUse(
  chain: Pick<EvmChain, 'findUse' | 'network'>,
  transfer: SignedTransfer,
  log: Log,
): Promise<UseFacts> {
  try {
    const use = await chain.findUse(transfer)
    return use ? { detail: described(use), counts: countsOf(use) } : UNKNOWN
  } catch (error) {
    log.warn({ err: error, network: chain.network }, 'the transaction that used an authorization cannot be named')
    return UNKNOWN
  }
}

const UNKNOWN: UseFacts = { detail: null, counts: 'at its party' }

// Everyone who sees a signed transfer can submit it, the merchant too. Only the payer cancels it or uses its nonce otherwise.
const countsOf = ({ paid, byPayer }: FoundUse): Counts => (paid && !byPayer ? 'nowhere' : 'everywhere')

function described({ hash, paid }: FoundUse): string {
  const what = paid
    ? 'It paid this payTo this amount.'
    : 'It did not pay this payTo this amount: it cancelled the authorization or used its nonce for another transfer.'
  return `The authorization was used by transaction ${hash}, which was not sent for this request. ${what}`
}
