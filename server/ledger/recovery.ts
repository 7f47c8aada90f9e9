import type { EvmChain } from '../chains/evm/chain'
import { provesTransfer, type Receipt, transferLogIndex } from '../chains/evm/receipts'
import { safeDepth } from '../x402/networks/finality'
import { methodFor, readKnownTransfer, readTransfer } from '../x402/schemes/evm-methods'
import { landingOf } from './evm/payloads'
import { shownTwice } from './evm/second-endpoint'
import { type RecoveryOptions, signAgain, type Watched } from './returned'
import { rejectClaim } from './statements/claims'
import { recordFinal } from './statements/finality'
import { findLanded, type LandedRow, recordOtherBlock, recordUnlanded } from './statements/landings'
import { type Due, postponeLanded, takeDue } from './statements/settlements'
import { openSlotsOf } from './statements/slots'
import { isIn } from './states'

const BATCH = 200
const IDLE_MS = 2_000
const SECOND_CHECK_MS = 1_000
/** An endpoint that is down may be so for long: what waits for it is asked for this many times less often. */
const ALONE_RECHECKS = 8

/**
 * One round over the settlements whose check is due, of all instances: frees claims without a waiter, watches transfers in flight,
 * compares landed ones with the canonical chain. Returns the milliseconds until the next round.
 */
export async function recover(options: RecoveryOptions): Promise<number> {
  const { db, networks, clusters, recheckMs } = options
  const known = [...networks.keys(), ...clusters.keys()]
  if (known.length === 0) return recheckMs
  const due = await takeDue(db, known, { againMs: recheckMs, limit: BATCH })
  // One network's errors must not hide the others, and its silence must not delay them.
  await Promise.all([
    attempt(options, null, () => freeClaims(options, due)),
    attempt(options, null, () => watchAgain(options, due)),
    attempt(options, null, () => options.watchRemote(due)),
    ...[...networks.values()].map((watched) => recoverNetwork(options, watched, due)),
    ...[...clusters].flatMap(([network, one]) => [
      attempt(options, network, () => one.watchAgain(due)),
      attempt(options, network, () => one.checkLanded(due)),
    ]),
  ])
  if (due.length === BATCH) return 0
  return Math.min(recheckMs, due.length > 0 ? 1_000 : IDLE_MS)
}

async function recoverNetwork(options: RecoveryOptions, watched: Watched, due: Due[]): Promise<void> {
  const { network } = watched.chain
  const mine = due.filter((one) => one.network === network)
  await attempt(options, network, () => signAgain(options, watched, mine))
  await attempt(options, network, () => checkLanded(options, watched, mine))
}

/** Logs the error of a step: the next round retries it. */
async function attempt({ log }: RecoveryOptions, network: string | null, step: () => Promise<void>): Promise<void> {
  await step().catch((error: unknown) => log.error({ err: error, network }, 'recovery round failed'))
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

async function checkLanded(options: RecoveryOptions, watched: Watched, due: Due[]): Promise<void> {
  const ids = due.filter(({ state }) => state === 'INCLUDED').map(({ id }) => id)
  // What a newer build sent is left to it.
  const rows = (await findLanded(options.db, ids)).filter((row) => readKnownTransfer(row.transfer, row.asset) !== null)
  if (rows.length > 0) await checkOnChain(options, watched, rows)
}

async function checkOnChain(options: RecoveryOptions, { chain }: Watched, rows: LandedRow[]): Promise<void> {
  const [head, receipts] = await Promise.all([chain.head(), receiptsOf(chain, rows)])
  const missing = rows.filter((row, at) => head.number >= row.block && isGone(row, receipts[at]))
  // One check proves nothing: a node may lag, or have lost its index for a moment.
  const gone = missing.length > 0 ? await checkAgain(chain, missing) : new Set()
  const deep: LandedRow[] = []
  for (const [at, row] of rows.entries()) {
    const receipt = receipts[at]
    if (receipt instanceof Error) options.log.warn({ err: receipt, hash: row.txHash }, 'unreadable receipt')
    else if (gone.has(row)) await unland(options, row)
    else if (receipt && head.number >= row.block && !isGone(row, receipt)) {
      if (receipt.blockHash !== row.blockHash) {
        const logIndex = transferLogIndex(receipt, readTransfer(row.transfer, row.asset))
        await recordOtherBlock(options.db, row, landingOf(receipt), logIndex)
      } else if (head.number - receipt.block >= BigInt(safeDepth(chain.network, options.finalityDepth))) deep.push(row)
    }
  }
  if (deep.length === 0) return
  const final = await shownTwice(chain, deep, async (one) => {
    const seen = await receiptsOf(one, deep)
    return deep.map((row, at) => hasLanded(row, seen[at]))
  })
  const alone = deep.filter((row) => !final.includes(row)).map(({ settlementId }) => settlementId)
  if (final.length > 0) await markFinal(options, final)
  if (alone.length === 0) return
  options.log.warn(
    { network: chain.network, settlements: alone },
    'no second endpoint has landed transfers; they are not final yet',
  )
  await postponeLanded(options.db, alone, ALONE_RECHECKS * options.recheckMs)
}

/** Makes settlements final, and wakes the requests that wait for it. */
async function markFinal({ db, wake, finality }: RecoveryOptions, deep: LandedRow[]): Promise<void> {
  for (const { id, network, waited } of await recordFinal(db, deep)) {
    finality.expect(network)
    if (waited) wake(id)
  }
}

type Seen = Receipt | Error | null | undefined

function receiptsOf(chain: EvmChain, rows: LandedRow[]): Promise<Seen[]> {
  return chain.receipts(rows.map(({ txHash }) => `0x${txHash.slice(2)}` as const))
}

/** Whether a receipt proves a landed transfer in its block. */
function hasLanded(row: LandedRow, receipt: Seen): boolean {
  return !isGone(row, receipt) && !(receipt instanceof Error) && receipt?.blockHash === row.blockHash
}

function isGone(row: LandedRow, receipt: Seen): boolean {
  if (receipt instanceof Error) return false
  if (!receipt) return true
  const transfer = readTransfer(row.transfer, row.asset)
  return !provesTransfer(receipt, transfer) && !(receipt.succeeded && methodFor(transfer).isDoneBySuccess)
}

async function checkAgain(chain: EvmChain, rows: LandedRow[]): Promise<Set<LandedRow>> {
  await new Promise((resolve) => setTimeout(resolve, SECOND_CHECK_MS))
  const receipts = await receiptsOf(chain, rows)
  return new Set(rows.filter((row, at) => isGone(row, receipts[at])))
}

async function unland({ db, log }: RecoveryOptions, row: LandedRow): Promise<void> {
  log.error({ settlementId: row.settlementId, hash: row.txHash }, 'a landed transfer left the chain; it is in flight again')
  await recordUnlanded(db, row)
}
