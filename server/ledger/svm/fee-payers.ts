import type { Log } from '../../base/log'
import { createPauses, startLoop } from '../../base/loop'
import type { SvmChain } from '../../chains/svm/chain'
import type { SvmSigner } from '../../chains/svm/signer'
import { LATER_FEES } from '../../x402/schemes/upto/svm/program'
import { type LaneStatus, logStatus } from '../evm/lane-status'
import { type LaneClass, laneClasses } from '../statements/lanes'

/**
 * An account that pays fees on a cluster. No nonce orders its transactions, so all instances may use it at once. Amounts are lamports.
 */
type FeePayer = {
  class: LaneClass
  signer: SvmSigner
  status: LaneStatus
  balance: bigint
  /** Fees of transactions in flight, and of those that ended since the balance was read. */
  inFlight: bigint
  ended: bigint
  /** The least that it keeps beside what it pays, by the use. */
  keeps: Readonly<Record<FeeUse, bigint>>
}

/** What a fee payer pays for: a payment, a channel that it opens, or what follows in a channel. */
export type FeeUse = 'payment' | 'opening' | 'ending'

// What ends a channel brings its rent back: that is how one with little recovers.
const IN_SERVICE: Readonly<Record<FeeUse, readonly LaneStatus[]>> = {
  payment: ['ready'],
  opening: ['ready'],
  ending: ['ready', 'low balance'],
}

/** The fee payers of a cluster, each out of service while it holds too little. */
export type FeePayers = {
  all(): readonly FeePayer[]
  find(address: string): FeePayer | undefined
  /** Reserves a fee. Null when the account cannot pay it beside the others. Call the returned function when the transaction has ended. */
  reserve(address: string, fee: bigint, use: FeeUse): (() => void) | null
  stop(): Promise<void>
}

export type FeePayersOptions = {
  chain: Pick<SvmChain, 'network' | 'isExpected' | 'balances'>
  signers: Readonly<Record<LaneClass, readonly SvmSigner[]>>
  /** The maximum cost of one payment, lamports. */
  maxFee: bigint
  /** How many channels may be open: what opens one leaves the fees of the steps behind all of them. */
  channels: bigint
  log: Log
}

/** The chain's minimum balance of an account without data. */
const RENT_EXEMPT = 890_880n
/** Out of service while the balance pays for fewer payments than this. */
const RESERVE_PAYMENTS = 5n
const SOON_MS = 1_000
/** Nothing but our payments and the operator changes a balance: while there are none, it is read this seldom. */
const IDLE_MS = 60_000
/** While one cannot pay, its balance is read ever more seldom, down to this. */
const LOW_MS = 15_000

/** The minimum balance of a fee payer in service, lamports, for this maximum cost of a payment. */
export const leastBalance = (maxFee: bigint): bigint => RENT_EXEMPT + RESERVE_PAYMENTS * maxFee

/** Whether it can pay for one more transaction, as far as is known. */
export function canPay({ status, balance, inFlight, ended, keeps }: FeePayer, fee: bigint, use: FeeUse): boolean {
  return IN_SERVICE[use].includes(status) && balance - inFlight - ended - fee >= keeps[use]
}

/** Starts polling the balances. */
export function startFeePayers({ chain, signers, maxFee, channels, log }: FeePayersOptions): FeePayers {
  const least = leastBalance(maxFee)
  const keeps = { payment: RENT_EXEMPT, opening: least + channels * LATER_FEES, ending: RENT_EXEMPT }
  const payers: FeePayer[] = laneClasses.flatMap((one) =>
    signers[one].map((signer) => ({ class: one, signer, status: 'starting', balance: 0n, inFlight: 0n, ended: 0n, keeps })),
  )
  const pauses = createPauses({ usualMs: SOON_MS, idleMs: LOW_MS })
  let checksSoon = false

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

  async function checkAll(): Promise<number> {
    checksSoon = false
    const before = payers.map(({ status }) => status)
    if (!(await chain.isExpected())) for (const payer of payers) set(payer, 'wrong chain')
    else await checkBalances()
    const changed = payers.some(({ status }, at) => status !== before[at])
    const allReady = payers.every(({ status }) => status === 'ready')
    const pause = pauses.after(changed || allReady)
    return allReady ? IDLE_MS : pause
  }

  async function checkBalances(): Promise<void> {
    // A transaction that ends during this call may or may not be in the balance: it stays reserved until the next check.
    const ended = payers.map((payer) => payer.ended)
    const balances = await chain.balances(payers.map(({ signer }) => signer.address))
    for (const [at, payer] of payers.entries()) {
      payer.balance = balances[at] ?? 0n
      payer.ended -= ended[at] ?? 0n
      set(payer, payer.balance >= least ? 'ready' : 'low balance')
    }
  }

  function checkSoon(): void {
    if (checksSoon) return
    checksSoon = true
    setTimeout(checking.kick, SOON_MS).unref()
  }

  const checking = startLoop(
    checkAll,
    // A silent node says nothing about the balances: they stay as they were.
    (error) => log.warn({ err: error, network: chain.network }, 'the balances of the fee payers are not known now'),
    SOON_MS,
  )
  const find = (address: string) => payers.find(({ signer }) => signer.address === address)
  return {
    all: () => payers,
    find,
    reserve(address, fee, use) {
      const payer = find(address)
      if (!payer || !canPay(payer, fee, use)) return null
      payer.inFlight += fee
      return () => {
        payer.inFlight -= fee
        payer.ended += fee
        checkSoon()
      }
    },
    async stop() {
      await checking.stop()
      for (const payer of payers) set(payer, 'stopped')
    },
  }
}
