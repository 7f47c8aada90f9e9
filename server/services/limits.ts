import { parseUnits } from 'viem'
import type { Proof } from '../chains/evm/calldata'
import type { ClaimLimits } from '../store/claims'
import { type NetworkId, networks } from '../x402/networks'
import type { App } from './app'
import type { Tier } from './plans'

/** What may wait for the chain at once, so that nobody's flood is everybody's queue. */
const PAYER_QUEUE_MAX = 200
const CALLER_QUEUE_MAX = 500

/** Transactions of one payer that an hour may see fail on the chain: we paid for each. */
const PAYER_FAILURES_MAX = 3

/** What one caller may have been promised by preconfirmations that no block holds yet: 10,000 USDC. */
const PROMISED_MAX = 10_000_000_000n

/** Decimals of the coin in which a network's fees are paid. */
const COIN_DECIMALS = { evm: 18, svm: 9 } as const

/** More than any budget: gas that another facilitator pays is not ours to count. */
const UNBOUNDED = 10n ** 60n

/** A transfer on its way: proven by the payer's key or code, and what it may cost us in gas; null: none of it is ours. */
export type Carriage = { proof: Proof; gasEach: bigint | null }

/** The bounds of a claim of a tier on this network. */
export function claimLimits({ config }: App, tier: Tier, network: NetworkId, { proof, gasEach }: Carriage): ClaimLimits {
  const gasBudget = parseUnits(config.gasBudgetDay, COIN_DECIMALS[networks[network].family])
  return {
    // Code may say one thing to whoever asks and another to the chain: so many failures of it are known before the next ones are sent.
    payerQueue: proof === 'code' && gasEach !== null ? PAYER_FAILURES_MAX : PAYER_QUEUE_MAX,
    callerQueue: CALLER_QUEUE_MAX,
    payerFailures: PAYER_FAILURES_MAX,
    gasBudget: gasEach === null ? UNBOUNDED : gasBudget,
    gasEach: gasEach ?? 0n,
    promised: tier === 'flash' ? PROMISED_MAX : null,
  }
}
