import { parseUnits } from 'viem'
import type { Proof } from '../chains/evm/calldata'
import type { Pace } from '../settlement/answers'
import type { ClaimLimits } from '../store/claims'
import { coins } from '../x402/coins'
import { type NetworkId, networks } from '../x402/networks'
import type { App } from './app'
import type { Tier } from './plans'

/** Payments on their way at once: of one payer, and of one party, on one network. */
const PAYER_QUEUE_MAX = 200
const PARTY_QUEUE_MAX = 500

/** Failures on the chain within an hour that pause a payer: at one party, and at all when several parties saw them. We paid for each. */
const PAYER_FAILURES_MAX = 3
const FAILURES_EVERYWHERE_MAX = 9
const FAILURES_PARTIES_MIN = 3

/**
 * A party whose payers failed so often within an hour is guarded: payers that have never paid travel alone, few at once, and all others
 * have few payments on their way at once.
 */
const GUARD_AT = 10
const GUARDED_PAYER_QUEUE_MAX = 2
const ALONE_QUEUE_MAX = 3

/** What one caller may hold as preconfirmations without a block: 10,000 USDC. */
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
    partyQueue: PARTY_QUEUE_MAX,
    payerFailures: PAYER_FAILURES_MAX,
    failuresEverywhere: FAILURES_EVERYWHERE_MAX,
    failuresParties: FAILURES_PARTIES_MIN,
    guardAt: GUARD_AT,
    guardedPayerQueue: GUARDED_PAYER_QUEUE_MAX,
    aloneQueue: ALONE_QUEUE_MAX,
    horizonMs: config.horizonMs,
    gasBudget: gasEach === null ? UNBOUNDED : gasBudget,
    gasEach: gasEach ?? 0n,
    promised: paceOf(tier, network) === 'flash' ? PROMISED_MAX : null,
  }
}
