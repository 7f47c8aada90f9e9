import type { EvmChain } from '../chains/evm/chain'
import { provesTransfer, type Receipt } from '../chains/evm/receipt'
import type { Log } from '../log'
import type { Db } from '../store/database'
import { type Due, takeDue } from '../store/due'
import { findLanded, type LandedRow, recordFinal, recordOtherBlock, recordUnlanded } from '../store/landings'
import { rejectClaim } from '../store/settlements'
import { openAttemptsOf } from '../store/slots'
import { readTransfer } from './transfer'
import { landingOf, type Watcher } from './watcher'

/** A network with its watcher. */
export type Watched = { chain: EvmChain; watcher: Watcher }

export type RecoveryOptions = {
  db: Db
  networks: ReadonlyMap<string, Watched>
  recheckMs: number
  finalityDepth: number
  /** How many units of a plan's quota may be given back in a period. */
  returnCap: (plan: string) => number
  wake: (settlementId: string) => void
  log: Log
}

const BATCH = 200

/**
 * One round over the settlements whose check is due, whoever made them: claims that nobody waits for are freed, transfers
 * under way come under watch, landed ones are compared with the canonical chain. Returns the milliseconds until the next.
 */
export async function recover(options: RecoveryOptions): Promise<number> {
  const { db, networks, recheckMs } = options
  if (networks.size === 0) return recheckMs
  const due = await takeDue(db, [...networks.keys()], { againMs: recheckMs, limit: BATCH })
  await Promise.all([freeClaims(options, due), watchAgain(options, due), checkLanded(options, due)])
  return due.length === BATCH ? 0 : Math.min(recheckMs, 1_000)
}

async function freeClaims({ db, returnCap, wake, log }: RecoveryOptions, due: Due[]): Promise<void> {
  for (const { id, plan, state, waiting } of due) {
    if (state !== 'CLAIMED' || waiting) continue
    if (!(await rejectClaim(db, id, returnCap(plan)))) continue
    log.info({ settlementId: id }, 'an abandoned claim was freed; nothing had been signed')
    wake(id)
  }
}

async function watchAgain({ db, networks }: RecoveryOptions, due: Due[]): Promise<void> {
  const ids = due.filter(({ state }) => state === 'PREPARED' || state === 'BROADCAST').map(({ id }) => id)
  for (const attempt of await openAttemptsOf(db, ids)) {
    const watched = networks.get(attempt.network)
    watched?.watcher.track(attempt)
    watched?.watcher.kick()
  }
}

async function checkLanded(options: RecoveryOptions, due: Due[]): Promise<void> {
  const ids = due.filter(({ state }) => state === 'INCLUDED').map(({ id }) => id)
  const rows = await findLanded(options.db, ids)
  for (const [network, watched] of options.networks) {
    const mine = rows.filter((row) => row.network === network)
    if (mine.length > 0) await checkOnChain(options, watched, mine)
  }
}

async function checkOnChain(options: RecoveryOptions, { chain }: Watched, rows: LandedRow[]): Promise<void> {
  const [head, ...receipts] = await Promise.all([chain.head(), ...rows.map((row) => receiptOf(chain, row))])
  for (const [at, row] of rows.entries()) {
    const receipt = receipts[at]
    if (receipt instanceof Error) options.log.warn({ err: receipt, hash: row.txHash }, 'unreadable receipt')
    else await compare(options, row, receipt ?? null, head.number)
  }
}

async function receiptOf(chain: EvmChain, { txHash }: LandedRow): Promise<Receipt | Error | null> {
  const [receipt] = await chain.receipts([`0x${txHash.slice(2)}`])
  return receipt ?? null
}

async function compare(
  { db, finalityDepth, log }: RecoveryOptions,
  row: LandedRow,
  receipt: Receipt | null,
  head: bigint,
): Promise<void> {
  // A node that is behind the block we saw knows nothing about it.
  if (head < row.block) return
  const { authorization } = readTransfer(row.transfer)
  if (!receipt || !provesTransfer(receipt, row.asset, authorization)) {
    log.error({ settlementId: row.settlementId, hash: row.txHash }, 'a landed transfer left the chain; it is under way again')
    await recordUnlanded(db, row)
  } else if (receipt.blockHash !== row.blockHash) {
    await recordOtherBlock(db, row, landingOf(receipt))
  } else if (head - receipt.block >= BigInt(finalityDepth)) {
    await recordFinal(db, row, row.blockHash)
  }
}
