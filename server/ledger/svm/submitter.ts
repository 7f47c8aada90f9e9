import { signedTransaction } from '../../chains/svm/signer'
import type { SignatureReport, SvmStatus } from '../../chains/svm/statuses'
import { decodeTransaction, type SvmTransaction } from '../../x402/schemes/exact/svm/transaction'
import type { FinalityWatch } from '../finality'
import { recordFinal } from '../statements/finality'
import { findLanded, type LandedRow, recordUnlanded } from '../statements/landings'
import type { Due } from '../statements/settlements'
import { isIn, openStates } from '../states'
import { type FeePayers, type FeePayersOptions, type FeeUse, startFeePayers } from './fee-payers'
import { isOfSmartWallet } from './payload'
import { createPendingBalances } from './pending-balances'
import { commitSigned, findSvm, recordOtherSlot, type SvmSettlement } from './statements'
import { hasLeft } from './verdict'
import { type SvmWatcherOptions, startSvmWatcher } from './watcher'

/** A claimed payment on Solana to sign and send. */
export type SvmPayload = {
  transaction: SvmTransaction
  /** The source account, and its balance after this payment when it was judged. */
  source: string
  headroom: bigint
  /** When that was read, in monotonic milliseconds. */
  readAt: number
  /** Judges it again: the balance after it, null when the chain would reject it. */
  judgeAgain: () => Promise<bigint | null>
  /** Lamports. */
  fee: bigint
  /** What it locks of its fee payer's beside the fee, lamports. */
  rent: bigint
  /** What its fee payer pays for. */
  use: FeeUse
  /** A slot at which it had not happened yet. */
  sinceSlot: bigint
  /** The blocks that its blockhash had left when it was judged. */
  left: bigint
}

/** The settlements of one cluster: each has one message and one signature, which land once or never. */
export type SvmSubmitter = {
  network: string
  feePayers: Pick<FeePayers, 'all' | 'find'>
  /** Signs and sends a claim once its payer's other payments leave enough for it. Never throws: the ledger knows what is in flight. */
  submit(
    claim: { id: string; amount: bigint; expiresAt: bigint; asset: string; payTo: string },
    payload: SvmPayload,
    until: number,
  ): void
  /** Watches the due ones among these settlements. */
  watchAgain(due: Due[]): Promise<void>
  /** Compares landed ones with the chain until they are final. */
  checkLanded(due: Due[]): Promise<void>
  stop(): Promise<void>
}

type SvmSubmitterOptions = Omit<FeePayersOptions, 'chain'> &
  SvmWatcherOptions & {
    release: (settlementId: string, why: 'late' | 'underfunded') => void
    finality: Pick<FinalityWatch, 'expect'>
  }

const SECOND_CHECK_MS = 1_000

const isFinal = (status: SvmStatus | null, slot: string) =>
  status?.failed === null && status.commitment === 'finalized' && String(status.slot) === slot

function transactionOf({ settlementId, raw }: SvmSettlement): SvmTransaction {
  const transaction = decodeTransaction(raw)
  if (transaction) return transaction
  throw new Error(`the ledger's bytes of settlement ${settlementId} are not a transaction`)
}

/** Starts settling on a cluster. */
export function startSvmSubmitter(options: SvmSubmitterOptions): SvmSubmitter {
  const { db, chain, log, failpoint, recheckMs } = options
  const { network } = chain
  const feePayers = startFeePayers(options)
  const pendingBalances = createPendingBalances()
  const watcher = startSvmWatcher(options)
  const submitting = new Set<Promise<void>>()

  async function submit(claim: Parameters<SvmSubmitter['submit']>[0], payload: SvmPayload, until: number): Promise<void> {
    const { id, amount } = claim
    const { source, transaction, fee, rent, use } = payload
    const { headroom, readAt, judgeAgain } = payload
    const fit = await pendingBalances.take({ source, amount, headroom, readAt, judgeAgain, until })
    if (fit !== 'fits') return options.release(id, fit === 'short' ? 'underfunded' : 'late')
    const feeBack = feePayers.reserve(transaction.accounts[0] ?? '', fee + rent, use)
    const releaseReserved = () => {
      pendingBalances.release(source, amount)
      feeBack?.()
    }
    const row =
      feeBack &&
      (await options.timing
        .time({ name: 'sign', facts: { network } }, () => commit(claim, payload))
        .catch((error: unknown) => {
          releaseReserved()
          throw error
        }))
    if (!row) {
      releaseReserved()
      return options.release(id, 'late')
    }
    failpoint('committed')
    watcher.track(row, transaction, releaseReserved)
  }

  /** Commits the signed bytes before any are sent. Null when the claim was freed meanwhile. */
  async function commit(
    { id, amount, expiresAt, asset, payTo }: Parameters<SvmSubmitter['submit']>[0],
    payload: SvmPayload,
  ): Promise<SvmSettlement | null> {
    const { transaction, source, fee, sinceSlot } = payload
    const payer = feePayers.find(transaction.accounts[0] ?? '')
    if (!payer) throw new Error('a claim names a fee payer that is not ours')
    const signed = signedTransaction(transaction, payer.signer)
    failpoint('signed')
    if (!(await commitSigned(db, { settlementId: id, ...signed, fee, sinceSlot, checkInMs: recheckMs }))) return null
    return {
      settlementId: id,
      state: 'PREPARED',
      network,
      ...signed,
      lastHeight: expiresAt,
      sinceSlot,
      source,
      amount,
      fee,
      asset,
      payTo,
    }
  }

  /** Watches a transaction of another or an earlier process, with the same reservations as our own. */
  function watchKnown(row: SvmSettlement): void {
    const { source, amount, fee } = row
    const transaction = transactionOf(row)
    pendingBalances.hold(source, amount)
    const feeBack = feePayers.reserve(transaction.accounts[0] ?? '', fee, 'payment')
    watcher.track(row, transaction, () => {
      pendingBalances.release(source, amount)
      feeBack?.()
    })
  }

  async function markFinal(rows: LandedRow[]): Promise<void> {
    if (rows.length === 0) return
    for (const { id, waited } of await recordFinal(db, rows)) {
      options.finality.expect(network)
      if (waited) options.wake(id)
    }
  }

  // In another slot a smart wallet may have done something else: its transfer is looked for again.
  async function moved(row: LandedRow, slot: bigint): Promise<void> {
    if (isOfSmartWallet(row.transfer)) await recordUnlanded(db, row)
    else await recordOtherSlot(db, row.settlementId, slot)
  }

  async function unlandGone(rows: LandedRow[]): Promise<void> {
    const asked = rows.map(({ txHash }) => ({ signature: txHash, blockhash: null }))
    const left = (among: LandedRow[], reports: readonly SignatureReport[]) =>
      among.filter(({ txHash, block }) => hasLeft({ signature: txHash, slot: block }, reports))
    const reports = await chain.signatureReports(asked)
    // The answering node may have stopped following the chain, so another node's finality counts too.
    const final = rows.filter(({ txHash, blockHash }) =>
      reports.some(({ statuses }) => isFinal(statuses.get(txHash) ?? null, blockHash)),
    )
    await markFinal(final)
    const suspects = left(rows, reports)
    if (suspects.length === 0) return
    // One check proves nothing: a node may have lost its index for a moment.
    await new Promise((resolve) => setTimeout(resolve, SECOND_CHECK_MS))
    for (const row of left(suspects, await chain.signatureReports(asked))) {
      log.error({ settlementId: row.settlementId, hash: row.txHash }, 'a landed transfer left the chain; it is in flight again')
      await recordUnlanded(db, row)
    }
  }

  return {
    network,
    feePayers,
    submit(claim, payload, until) {
      const work = submit(claim, payload, until)
        .catch((error: unknown) => {
          log.error({ err: error, settlementId: claim.id }, 'a payment could not be signed')
          // Freed only if it still is a claim: if it committed, it is watched when it is due.
          options.release(claim.id, 'late')
        })
        .finally(() => submitting.delete(work))
      submitting.add(work)
    },
    async watchAgain(due) {
      const ids = due.filter(({ state }) => isIn(openStates, state)).map(({ id }) => id)
      for (const row of await findSvm(db, ids)) if (row.network === network && !watcher.has(row.settlementId)) watchKnown(row)
    },
    async checkLanded(due) {
      const ids = due.filter(({ state }) => state === 'INCLUDED').map(({ id }) => id)
      const rows = (await findLanded(db, ids)).filter((row) => row.network === network)
      if (rows.length === 0) return
      const statuses = await chain.statuses(
        rows.map(({ txHash }) => txHash),
        true,
      )
      const gone: LandedRow[] = []
      const final: LandedRow[] = []
      for (const [at, row] of rows.entries()) {
        const status = statuses[at]
        if (!status || status.failed !== null) {
          gone.push(row)
          continue
        }
        if (String(status.slot) !== row.blockHash) await moved(row, status.slot)
        else if (isFinal(status, row.blockHash)) final.push(row)
      }
      await markFinal(final)
      if (gone.length > 0) await unlandGone(gone)
    },
    async stop() {
      pendingBalances.stop()
      await Promise.all([...submitting])
      await watcher.stop()
      await feePayers.stop()
    },
  }
}
