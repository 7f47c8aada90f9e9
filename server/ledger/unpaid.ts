import type { Log } from '../base/log'
import type { EvmChain } from '../chains/evm/chain'
import type { Receipt } from '../chains/evm/receipts'
import type { SignedTransfer } from '../x402/schemes/evm-method'

/** The last sentence of a failure that leaves the intent free. */
export const MAY_BE_SENT_AGAIN = 'The same signed payment may be sent again.'

/** Whether the payer had too little in the block of a transaction that was mined without its payment. False when no node can tell. */
export async function wasShort(
  chain: Pick<EvmChain, 'authorizationStates' | 'network'>,
  transfer: SignedTransfer,
  { hash, blockHash }: Pick<Receipt, 'hash' | 'blockHash'>,
  log: Log,
): Promise<boolean> {
  try {
    const [state] = await chain.authorizationStates([transfer], { blockHash })
    return state !== undefined && state.balance < transfer.authorization.value
  } catch (error) {
    log.warn({ err: error, network: chain.network, hash }, 'the balance behind a transfer that was not made cannot be read')
    return false
  }
}
