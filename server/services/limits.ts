import { parseUnits } from 'viem'
import type { Proof } from '../chains/evm/calldata'
import type { Pace } from '../settlement/answers'
import type { ClaimLimits } from '../store/claims'
import { coins } from '../x402/coins'
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

/** More than any budget: gas that another facilitator pays is not ours to count. */
const UNBOUNDED = 10n ** 60n

/** A payer's own transaction on Solana may fail for whatever the payer put in it or does meanwhile, which is known a little later. */
const SVM_QUEUE_MAX = 10

/**
 * A transfer on its way: proven by the payer's key or code, or bytes that the payer made, and what it may cost us in gas; null: none of it
 * is ours.
 */
export type Carriage = { proof: Proof | 'own bytes'; gasEach: bigint | null }

const QUEUE_MAX = { key: PAYER_QUEUE_MAX, code: PAYER_FAILURES_MAX, 'own bytes': SVM_QUEUE_MAX } as const

/** How long a request of a tier waits for its outcome: on Solana nothing is promised before a block. */
export function paceOf(tier: Tier, network: NetworkId): Pace {
  return tier === 'flash' && networks[network].family === 'evm' ? 'flash' : 'usual'
}

/** The bounds of a claim of a tier on this network. */
export function claimLimits({ config }: App, tier: Tier, network: NetworkId, { proof, gasEach }: Carriage): ClaimLimits {
  const gasBudget = parseUnits(config.gasBudgetDay, coins[networks[network].family].decimals)
  return {
    // Code may say one thing to whoever asks and another to the chain: so many failures of it are known before the next ones are sent.
    payerQueue: gasEach === null ? PAYER_QUEUE_MAX : QUEUE_MAX[proof],
    callerQueue: CALLER_QUEUE_MAX,
    payerFailures: PAYER_FAILURES_MAX,
    gasBudget: gasEach === null ? UNBOUNDED : gasBudget,
    gasEach: gasEach ?? 0n,
    promised: paceOf(tier, network) === 'flash' ? PROMISED_MAX : null,
  }
}
