import type { SvmChain } from '../../chains/svm/chain'
import type { SvmSigner } from '../../chains/svm/signer'
import type { Log } from '../../log'
import { type LaneStatus, logStatus } from '../evm/lane-status'
import { startLoop } from '../loop'
import { type LaneClass, laneClasses } from '../statements/lanes'

/** An account that pays fees on a cluster: no nonce orders its transactions, so every instance may use it at once. Lamports. */
export type FeePayer = {
  class: LaneClass
  signer: SvmSigner
  status: LaneStatus
  balance: bigint
  /** What it pays for transactions that are in flight, and for those that ended since its balance was looked at. */
  underWay: bigint
  ended: bigint
}

/** The fee payers of a cluster, each out of service while it holds too little. */
export type FeePayers = {
  all(): readonly FeePayer[]
  find(address: string): FeePayer | undefined
  /** Sets a fee aside. Null when the account cannot pay it besides the others; what it resolves with is called when the transaction has ended. */
  reserve(address: string, fee: bigint): (() => void) | null
  stop(): Promise<void>
}

export type FeePayersOptions = {
  chain: Pick<SvmChain, 'network' | 'isExpected' | 'balance'>
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

/** What a fee payer has to hold to be in service, lamports, when one payment may cost so many. */
export const leastOf = (maxFee: bigint): bigint => RENT_EXEMPT + RESERVE_PAYMENTS * maxFee

/** Whether it can pay for one transaction more, as far as is known. */
export function canPay({ status, balance, underWay, ended }: FeePayer, fee: bigint): boolean {
  return status === 'ready' && balance - underWay - ended - fee >= RENT_EXEMPT
}

/** Starts looking at the balances. */
export function startFeePayers({ chain, signers, maxFee, log }: FeePayersOptions): FeePayers {
  const payers: FeePayer[] = laneClasses.flatMap((one) =>
    signers[one].map((signer) => ({ class: one, signer, status: 'starting', balance: 0n, underWay: 0n, ended: 0n })),
  )
  const least = leastOf(maxFee)
  let looksSoon = false

  function set(payer: FeePayer, status: LaneStatus): void {
    const { address } = payer.signer
    logStatus(
      log,
      { network: chain.network, address, balance: String(payer.balance), least: String(least) },
      payer.status,
      status,
    )
    payer.status = status
  }

  async function look(): Promise<number> {
    looksSoon = false
    if (!(await chain.isExpected())) for (const payer of payers) set(payer, 'wrong chain')
    else await Promise.all(payers.map(check))
    return looksSoon || payers.some(({ status }) => status !== 'ready') ? SOON_MS : USUAL_MS
  }

  async function check(payer: FeePayer): Promise<void> {
    // What ends while the node is asked may be in its answer or not: it stays set aside until the next look.
    const { ended } = payer
    payer.balance = await chain.balance(payer.signer.address)
    payer.ended -= ended
    set(payer, payer.balance >= least ? 'ready' : 'low balance')
  }

  function lookSoon(): void {
    if (looksSoon) return
    looksSoon = true
    setTimeout(looking.kick, SOON_MS).unref()
  }

  const looking = startLoop(
    look,
    // Its silence says nothing about the balances: what was known stays.
    (error) => log.warn({ err: error, network: chain.network }, 'the balances of the fee payers are not known now'),
    SOON_MS,
  )
  const find = (address: string) => payers.find(({ signer }) => signer.address === address)
  return {
    all: () => payers,
    find,
    reserve(address, fee) {
      const payer = find(address)
      if (!payer || !canPay(payer, fee)) return null
      payer.underWay += fee
      return () => {
        payer.underWay -= fee
        payer.ended += fee
        lookSoon()
      }
    },
    async stop() {
      await looking.stop()
      for (const payer of payers) set(payer, 'stopped')
    },
  }
}
