import type { EvmChain } from '../chains/evm/chain'
import type { Receipt } from '../chains/evm/receipts'
import type { Head } from '../chains/evm/rpc'
import type { Log } from '../log'
import type { SignedTransfer } from '../x402/schemes/evm-method'
import type { Tracked } from './evm/tracked'
import type { SlotMember } from './evm/verdict'

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

/** Why our transaction reverted, when the payer's balance explains it; null when it does not, or the node does not answer. */
export async function describeRevert(
  chain: Pick<EvmChain, 'authorizationStates' | 'network'>,
  transfer: SignedTransfer,
  hash: string,
  log: Log,
): Promise<string | null> {
  try {
    const [state] = await chain.authorizationStates([transfer])
    if (!state || state.balance >= transfer.authorization.value) return null
    return `The payer's money left before the block: transaction ${hash} reverted.`
  } catch (error) {
    log.warn({ err: error, network: chain.network }, 'the balance behind a reverted transfer cannot be read')
    return null
  }
}

/**
 * Names the transaction that used an authorization and whether it made this exact transfer. Null when the newest 2,000 blocks do not show
 * it or the node does not answer: the failure stands without it.
 */
export async function describeUse(
  chain: Pick<EvmChain, 'findUse' | 'network'>,
  transfer: SignedTransfer,
  log: Log,
): Promise<string | null> {
  try {
    const use = await chain.findUse(transfer)
    if (!use) return null
    const paid = use.paid
      ? 'It paid this payTo this amount.'
      : 'It did not pay this payTo this amount: it cancelled the authorization or used its nonce for another transfer.'
    return `The authorization was used by transaction ${use.hash}, which was not sent for this request. ${paid}`
  } catch (error) {
    log.warn({ err: error, network: chain.network }, 'the transaction that used an authorization cannot be named')
    return null
  }
}
