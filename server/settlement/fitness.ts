import type { EvmChain } from '../chains/evm/chain'
import type { Signer } from '../chains/evm/signer'
import type { Log } from '../log'
import type { Queued } from './queue'

type Checking = { chain: EvmChain; signer: Signer; log: Log }

/**
 * Who of these goes into the next transaction. A single one was judged a moment ago; the members of a batch are looked at once
 * more: a transfer that would fail is given up before it costs gas, a payer with code travels alone afterwards. When the node does
 * not answer, the first goes alone.
 */
export async function fitMembers(
  { chain, signer, log }: Checking,
  items: Queued[],
  giveUp: (item: Queued) => void,
  putBack: (items: Queued[]) => void,
): Promise<Queued[]> {
  const [first, ...others] = items
  if (!first || others.length === 0) return items
  try {
    const found = await chain.checkBatch(
      signer,
      items.map(({ transfer }) => transfer),
    )
    for (const [at, item] of items.entries()) if (found[at] === 'unfit') giveUp(item)
    putBack(items.filter((_, at) => found[at] === 'code').map((item) => ({ ...item, alone: true })))
    return items.filter((_, at) => found[at] === 'fit')
  } catch (error) {
    log.warn({ err: error, network: chain.network }, 'a batch could not be checked; its first member goes alone')
    putBack(others)
    return [first]
  }
}
