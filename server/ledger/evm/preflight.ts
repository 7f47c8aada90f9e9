import type { Log } from '../../base/log'
import type { EvmChain } from '../../chains/evm/chain'
import type { Preflight } from '../../chains/evm/preflight'
import type { Signer } from '../../chains/evm/signer'
import { BATCH_GAS_MAX, gasInBatch, isTooLarge } from '../../chains/evm/transactions'
import type { Db } from '../../db/database'
import type { EvmNetworkId } from '../../x402/networks/networks'
import { methodFor } from '../../x402/schemes/evm-methods'
import { findSuspects, hadBurns } from '../statements/payer-failures'
import type { Queued } from './queue'
import type { Watcher } from './watcher'

type Checking = { chain: EvmChain; signer: Signer; watcher: Watcher; suspects: Suspects; log: Log }

/** A judgement up to this age still holds for the newest block. */
const FRESH_MS = 500
/** The number of transfers in flight that fit in a simulation; beyond it, a payer's next ones wait. */
const IN_FLIGHT_MAX = 200

/**
 * Chooses the members of the next transaction: simulates them behind the transfers that their payers have in flight. A transfer that
 * would fail is given up before it costs gas. A payer with code is sent alone, and so are suspects. A single, freshly judged payment
 * without others in flight is not simulated again. When the node does not answer, the first goes alone.
 */
export async function payableMembers(
  { chain, signer, watcher, suspects, log }: Checking,
  items: Queued[],
  giveUp: (item: Queued) => void,
  putBack: (items: Queued[]) => void,
): Promise<Queued[]> {
  const [first, ...others] = items
  if (!first) return items
  const inFlight = watcher.inFlight(new Set(items.map(({ transfer }) => transfer.authorization.from)))
  const isFresh = performance.now() - first.judgedAt < FRESH_MS
  if (others.length === 0 && inFlight.length === 0 && isFresh) return items
  const transfers = items.map(({ transfer }) => transfer)
  const checked = chain.checkBatch(signer, transfers, inFlight.slice(0, IN_FLIGHT_MAX)).catch((error: unknown) => {
    log.warn({ err: error, network: chain.network }, 'payments could not be checked again; the first goes alone')
    return null
  })
  const [found, suspected] = await Promise.all([checked, others.length > 0 ? suspects.among(items) : []])
  if (!found) {
    putBack(others)
    return [first]
  }
  const mustPart = (item: Queued, at: number) => !item.alone && (found[at]?.hasCode === true || suspected[at] === true)
  const verdicts = items.map((item, at) => (mustPart(item, at) ? 'again' : verdictOf(item, found, at)))
  for (const [at, item] of items.entries()) if (verdicts[at] === 'underfunded') giveUp(item)
  const again = items.flatMap((item, at) =>
    // Its earlier judgement no longer holds.
    verdicts[at] === 'again' ? [{ ...item, judgedAt: Number.NEGATIVE_INFINITY, alone: mustPart(item, at) }] : [],
  )
  putBack(again)
  return items.filter((_, at) => verdicts[at] === 'payable')
}

function verdictOf({ alone }: Queued, found: readonly Preflight[], at: number): 'payable' | 'underfunded' | 'again' {
  if (found[at]?.paid) return 'payable'
  // Another payer's code may have burnt this one's gas: it is simulated again without that code.
  return !alone && found.some(({ hasCode }) => hasCode) ? 'again' : 'underfunded'
}

/**
 * Splits claims into those that may share a transaction and those that may not: chains limit its gas, and two equal transfers that a
 * receipt cannot tell apart go one after the other. Those of one contract come together. `never`: those that no transaction may hold.
 */
export function fitting(network: EvmNetworkId, items: readonly Queued[]): { fit: Queued[]; rest: Queued[]; never: Queued[] } {
  const [fit, rest, never]: [Queued[], Queued[], Queued[]] = [[], [], []]
  /** What is moved, and whether the logs of all who move it name their authorizations. */
  const moved = new Map<string, boolean>()
  let gas = 0n
  for (const item of items) {
    if (isTooLarge(network, item.transfer)) {
      never.push(item)
      continue
    }
    const { asset, authorization } = item.transfer
    const what = [asset, authorization.from, authorization.to, authorization.value].join()
    const named = methodFor(item.transfer).mark(item.transfer) === null
    const isAlike = moved.has(what) && !(named && moved.get(what))
    const more = gas + gasInBatch(network, item.transfer)
    const fits = !isAlike && (fit.length === 0 || more <= BATCH_GAS_MAX)
    if (fits) gas = more
    if (fits) moved.set(what, named)
    const to = fits ? fit : rest
    to.push(item)
  }
  const contract = ({ transfer }: Queued) => methodFor(transfer).contract(transfer)
  return { fit: fit.sort((a, b) => (contract(a) < contract(b) ? -1 : Number(contract(a) > contract(b)))), rest, never }
}

/** The burns of the last hour on a network: which payments are sent alone because of them, and whether the last read found any. */
type Suspects = { among: (items: readonly Queued[]) => Promise<boolean[]>; burning: () => boolean }

/** How long a read of a network's burns is reused. */
export const BURNS_KNOWN_MS = 1_000

/** The suspects of a network, read from the ledger so that every instance knows the same ones. */
export function createSuspects(db: Db, network: string, log: Log): Suspects {
  let known = { burns: false, until: Number.NEGATIVE_INFINITY }
  async function among(items: readonly Queued[]): Promise<boolean[]> {
    try {
      if (performance.now() >= known.until)
        known = { burns: await hadBurns(db, network), until: performance.now() + BURNS_KNOWN_MS }
      if (!known.burns) return []
      return await findSuspects(
        db,
        network,
        items.map(({ party, transfer }) => ({ party, payer: transfer.authorization.from })),
      )
    } catch (error) {
      // While the ledger cannot be read, each call is capped.
      known = { ...known, burns: true }
      log.warn({ err: error, network }, 'the burns of the last hour cannot be read now')
      return []
    }
  }
  return { among, burning: () => known.burns }
}
