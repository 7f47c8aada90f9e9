import type { EvmChain } from '../../chains/evm/chain'
import type { Preflight } from '../../chains/evm/preflight'
import type { Signer } from '../../chains/evm/signer'
import type { Db } from '../../db/database'
import type { Log } from '../../log'
import { findSuspects, hadBurns } from '../statements/payer-failures'
import type { Queued } from './queue'
import type { Watcher } from './watcher'

type Checking = { chain: EvmChain; signer: Signer; watcher: Watcher; suspects: Suspects; log: Log }

/** A judgement of this age still says what the newest block does. */
const FRESH_MS = 500
/** So many earlier transfers fit in a simulation; beyond them a payer's next ones wait. */
const UNDER_WAY_MAX = 200

/**
 * Who of these goes into the next transaction. They are looked at once more, behind what their payers have on its way: a transfer that
 * would fail is given up before it costs gas, a payer with code travels alone, and so do suspects. Only a single one that was judged a
 * moment ago, whose payer has nothing on its way, is not looked at again. When the node does not answer, the first goes alone.
 */
export async function payableMembers(
  { chain, signer, watcher, suspects, log }: Checking,
  items: Queued[],
  giveUp: (item: Queued) => void,
  putBack: (items: Queued[]) => void,
): Promise<Queued[]> {
  const [first, ...others] = items
  if (!first) return items
  const underWay = watcher.underWay(new Set(items.map(({ transfer }) => transfer.authorization.from)))
  const isFresh = performance.now() - first.judgedAt < FRESH_MS
  if (others.length === 0 && underWay.length === 0 && isFresh) return items
  const transfers = items.map(({ transfer }) => transfer)
  const checked = chain.checkBatch(signer, transfers, underWay.slice(0, UNDER_WAY_MAX)).catch((error: unknown) => {
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
    // What was judged of it before does not hold any more.
    verdicts[at] === 'again' ? [{ ...item, judgedAt: Number.NEGATIVE_INFINITY, alone: mustPart(item, at) }] : [],
  )
  putBack(again)
  return items.filter((_, at) => verdicts[at] === 'fit')
}

function verdictOf({ alone }: Queued, found: readonly Preflight[], at: number): 'fit' | 'underfunded' | 'again' {
  if (found[at]?.paid) return 'fit'
  // Code that does not belong here may have burnt the gas of this one: it is looked at again without it.
  return !alone && found.some(({ hasCode }) => hasCode) ? 'again' : 'underfunded'
}

/** Burns of the last hour on a network: which payments travel alone for them, and whether there were any when that was last asked. */
export type Suspects = { among: (items: readonly Queued[]) => Promise<boolean[]>; burning: () => boolean }

/** What is known of a network's burns is believed for so long. */
const BURNS_KNOWN_MS = 1_000

/** The suspects of a network. The ledger knows them, so that every instance does; most of the time it has none to tell. */
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
      // Without the ledger's word each call is capped.
      known = { ...known, burns: true }
      log.warn({ err: error, network }, 'the burns of the last hour cannot be read now')
      return []
    }
  }
  return { among, burning: () => known.burns }
}
