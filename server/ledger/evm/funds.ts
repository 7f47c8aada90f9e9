import type { EvmChain } from '../../chains/evm/chain'
import type { NewAttempt } from '../statements/slots'
import { bytesAsHex } from './tracked'

/** What a signer can still spend beside its unmined transactions, in wei. */
type Funds = {
  /** Reads the balance again and resolves with it. Throws when the node does not answer. */
  refresh(): Promise<bigint>
  /** Whether this much is left. Reads the balance again before it says no. */
  covers(cost: bigint): Promise<boolean>
  /** Records a signed transaction. */
  spend(attempt: Priced): void
}

type Priced = Pick<NewAttempt, 'raw' | 'gas' | 'maxFeePerGas'>

/**
 * The funds of a signer. Nodes ask the balance to cover all pending transactions at their highest price, so what is unmined counts with
 * that. What was mined since the last read counts too, until the next one.
 */
export function createFunds(
  chain: Pick<EvmChain, 'balance' | 'mostOf'>,
  address: `0x${string}`,
  unmined: () => readonly Priced[],
): Funds {
  const mostOf = ({ raw, ...priced }: Priced) => chain.mostOf({ raw: bytesAsHex(raw), ...priced })
  let left = 0n
  let spent = 0n

  async function refresh(): Promise<bigint> {
    const [reserved, before] = [unmined().reduce((sum, one) => sum + mostOf(one), 0n), spent]
    const balance = await chain.balance(address)
    left = balance - reserved - (spent - before)
    return balance
  }

  return {
    refresh,
    async covers(cost) {
      if (left < cost) await refresh()
      return left >= cost
    },
    spend(attempt) {
      const cost = mostOf(attempt)
      left -= cost
      spent += cost
    },
  }
}
