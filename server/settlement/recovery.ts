import type { EvmChain } from '../chains/evm/chain'
import { provesTransfer, type Receipt } from '../chains/evm/receipt'
import type { Log } from '../log'
import { rejectClaim } from '../store/claims'
import type { Db } from '../store/database'
import { type Due, takeDue } from '../store/due'
import { findLanded, type LandedRow, recordFinal, recordOtherBlock, recordUnlanded } from '../store/landings'
import type { LaneClass } from '../store/lanes'
import { openSlotsOf } from '../store/slots'
import { isIn } from '../store/states'
import { landingOf } from './landing'
import type { Queued } from './queue'
import { signAgain } from './returned'
import type { SvmCarrier } from './svm'
import { readTransfer } from './transfer'
import type { Doubt } from './verdict'
import type { Watcher } from './watcher'

/** A network with its watcher. */
export type Watched = { chain: EvmChain; watcher: Watcher }

export type RecoveryOptions = {
  db: Db
  networks: ReadonlyMap<string, Watched>
  clusters: ReadonlyMap<string, SvmCarrier>
  recheckMs: number
  finalityDepth: number
  /** How long a payment is carried after its claim, milliseconds. */
  horizonMs: number
  wake: (settlementId: string) => void
  /** First looks at the ends of claims, by settlement; an entry goes with its claim. */
  doubts: Map<string, Doubt>
  /** Hands a claim to a lane; false when none takes it now. */
  requeue: (network: string, laneClass: LaneClass, item: Queued) => boolean
  /** Looks for what other facilitators have in their hands. */
  watchRemote: (due: Due[]) => Promise<void>
  log: Log
}

const BATCH = 200
const SECOND_LOOK_MS = 1_000

/**
 * One round over the settlements whose check is due, whoever made them: claims that nobody waits for are freed, transfers
 * under way come under watch, landed ones are compared with the canonical chain. Returns the milliseconds until the next.
 */
export async function recover(options: RecoveryOptions): Promise<number> {
  const { db, networks, clusters, recheckMs } = options
  const known = [...networks.keys(), ...clusters.keys()]
  if (known.length === 0) return recheckMs
  const due = await takeDue(db, known, { againMs: recheckMs, limit: BATCH })
  // The trouble of one network must not hide the others.
  await each([
    () => freeClaims(options, due),
    () => signAgain(options, due),
    () => watchAgain(options, due),
    () => options.watchRemote(due),
    () => checkLanded(options, due),
    ...[...clusters.values()].flatMap((one) => [() => one.watchAgain(due), () => one.checkLanded(due)]),
  ])
  return due.length === BATCH ? 0 : Math.min(recheckMs, 1_000)
}

/** Takes every step, whatever becomes of the others, and then throws what went wrong first. */
async function each(steps: (() => Promise<void>)[]): Promise<void> {
  const troubles: unknown[] = []
  for (const step of steps) await step().catch((error: unknown) => troubles.push(error))
  if (troubles.length > 0) throw troubles[0]
}

async function freeClaims({ db, wake, log }: RecoveryOptions, due: Due[]): Promise<void> {
  for (const { id, state, waiting } of due) {
    if (state !== 'CLAIMED' || waiting) continue
    if (!(await rejectClaim(db, id, null))) continue
    log.info({ settlementId: id }, 'an abandoned claim was freed; nothing had been signed')
    wake(id)
  }
}

async function watchAgain({ db, networks }: RecoveryOptions, due: Due[]): Promise<void> {
  const ids = due.filter(({ state }) => isIn(['PREPARED', 'BROADCAST', 'PRECONFIRMED'], state)).map(({ id }) => id)
  for (const slot of await openSlotsOf(db, ids)) networks.get(slot.network)?.watcher.track(slot, 'to be sent')
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
  const [head, receipts] = await Promise.all([chain.head(), receiptsOf(chain, rows)])
  const missing = rows.filter((row, at) => head.number >= row.block && isGone(row, receipts[at]))
  // One look proves nothing: a node may lag, or have lost its index for a moment.
  const gone = missing.length > 0 ? await lookAgain(chain, missing) : new Set()
  const deep: LandedRow[] = []
  for (const [at, row] of rows.entries()) {
    const receipt = receipts[at]
    if (receipt instanceof Error) options.log.warn({ err: receipt, hash: row.txHash }, 'unreadable receipt')
    else if (gone.has(row)) await unland(options, row)
    else if (receipt && head.number >= row.block && !isGone(row, receipt)) {
      if (receipt.blockHash !== row.blockHash) await recordOtherBlock(options.db, row, landingOf(receipt))
      else if (head.number - receipt.block >= BigInt(options.finalityDepth)) deep.push(row)
    }
  }
  if (deep.length > 0) await recordFinal(options.db, deep)
}

type Seen = Receipt | Error | null | undefined

function receiptsOf(chain: EvmChain, rows: LandedRow[]): Promise<Seen[]> {
  return chain.receipts(rows.map(({ txHash }) => `0x${txHash.slice(2)}` as const))
}

function isGone(row: LandedRow, receipt: Seen): boolean {
  if (receipt instanceof Error) return false
  return !receipt || !provesTransfer(receipt, row.asset, readTransfer(row.transfer).authorization)
}

async function lookAgain(chain: EvmChain, rows: LandedRow[]): Promise<Set<LandedRow>> {
  await new Promise((resolve) => setTimeout(resolve, SECOND_LOOK_MS))
  const receipts = await receiptsOf(chain, rows)
  return new Set(rows.filter((row, at) => isGone(row, receipts[at])))
}

async function unland({ db, log }: RecoveryOptions, row: LandedRow): Promise<void> {
  log.error({ settlementId: row.settlementId, hash: row.txHash }, 'a landed transfer left the chain; it is under way again')
  await recordUnlanded(db, row)
}
