import type { SvmChain } from '../chains/svm/chain'
import type { SvmSigner } from '../chains/svm/signer'
import type { Log } from '../log'
import { type LaneClass, laneClasses } from '../store/lanes'
import { type LaneStatus, logStatus } from './lane-status'
import { startLoop } from './loop'

/** An account that pays fees on a cluster: no nonce orders its transactions, so every instance may use it at once. */
export type FeePayer = { class: LaneClass; signer: SvmSigner; status: LaneStatus }

/** The fee payers of a cluster, each out of service while it holds too little. */
export type FeePayers = {
  all(): readonly FeePayer[]
  find(address: string): FeePayer | undefined
  /** A fee was paid: the balances are looked at soon. */
  spent(): void
  stop(): Promise<void>
}

export type FeePayersOptions = {
  chain: SvmChain
  signers: Readonly<Record<LaneClass, readonly SvmSigner[]>>
  /** What one payment may cost, lamports. */
  maxFee: bigint
  log: Log
}

/** An account without data may not hold less and still pay a fee. */
const RENT_EXEMPT = 890_880n
/** Out of service while the balance does not pay for this many more. */
const RESERVE_PAYMENTS = 5n
const SOON_MS = 1_000
const USUAL_MS = 10_000

/** Starts looking at the balances. */
export function startFeePayers({ chain, signers, maxFee, log }: FeePayersOptions): FeePayers {
  const payers: FeePayer[] = laneClasses.flatMap((one) =>
    signers[one].map((signer) => ({ class: one, signer, status: 'starting' })),
  )
  const least = RENT_EXEMPT + RESERVE_PAYMENTS * maxFee
  let hasSpent = false

  function set(payer: FeePayer, status: LaneStatus): void {
    logStatus(log, { network: chain.network, address: payer.signer.address }, payer.status, status)
    payer.status = status
  }

  async function look(): Promise<number> {
    hasSpent = false
    if (!(await chain.isExpected())) for (const payer of payers) set(payer, 'wrong chain')
    else await Promise.all(payers.map(check))
    return hasSpent || payers.some(({ status }) => status !== 'ready') ? SOON_MS : USUAL_MS
  }

  async function check(payer: FeePayer): Promise<void> {
    set(payer, (await chain.balance(payer.signer.address)) >= least ? 'ready' : 'low balance')
  }

  const looking = startLoop(
    look,
    // Its silence says nothing about the balances: what was known stays.
    (error) => log.warn({ err: error, network: chain.network }, 'the balances of the fee payers are not known now'),
    SOON_MS,
  )
  return {
    all: () => payers,
    find: (address) => payers.find(({ signer }) => signer.address === address),
    spent() {
      if (hasSpent) return
      hasSpent = true
      setTimeout(looking.kick, SOON_MS).unref()
    },
    async stop() {
      await looking.stop()
      for (const payer of payers) set(payer, 'stopped')
    },
  }
}
