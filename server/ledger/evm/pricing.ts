import type { EvmChain } from '../../chains/evm/chain'
import { highest, isTooDear } from '../../chains/evm/gas'
import type { Head } from '../../chains/evm/rpc'

/**
 * The base fee by which a transaction is priced: the higher of the watcher's newest block and the judged one, since either may be the
 * older. One that is too dear to pay is not believed before the lowest of all endpoints is as dear. Null while nothing may be signed: a
 * block would not take it.
 */
export async function baseFeeFor(
  chain: Pick<EvmChain, 'network' | 'lowestBaseFee'>,
  head: Head | null,
  judged: bigint,
): Promise<bigint | null> {
  const seen = highest([head?.baseFee ?? 0n, judged])
  if (!isTooDear(chain.network, seen)) return seen
  const lowest = await chain.lowestBaseFee()
  return lowest === null || isTooDear(chain.network, lowest) ? null : lowest
}
