import type { Fitness } from '../chains/evm/batch-check'
import type { EvmChain } from '../chains/evm/chain'
import type { Signer } from '../chains/evm/signer'
import type { Log } from '../log'
import type { Queued } from './queue'
import type { Watcher } from './watcher'

type Checking = { chain: EvmChain; signer: Signer; watcher: Watcher; log: Log }

/** A judgement of this age still says what the newest block does. */
const FRESH_MS = 500
/** So many earlier transfers fit in a simulation; beyond them a payer's next ones wait. */
const UNDER_WAY_MAX = 200

/**
 * Who of these goes into the next transaction. They are looked at once more, behind what their payers have on its way: a transfer that
 * would fail is given up before it costs gas, a payer with code travels alone. Only a single one that was judged a moment ago, whose
 * payer has nothing on its way, is not looked at again. When the node does not answer, the first goes alone.
 */
export async function fitMembers(
  { chain, signer, watcher, log }: Checking,
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
  const found = await chain.checkBatch(signer, transfers, underWay.slice(0, UNDER_WAY_MAX)).catch((error: unknown) => {
    log.warn({ err: error, network: chain.network }, 'payments could not be checked again; the first goes alone')
    return null
  })
  if (!found) {
    putBack(others)
    return [first]
  }
  const verdicts = items.map((item, at) => verdictOf(item, found, at))
  for (const [at, item] of items.entries()) if (verdicts[at] === 'unfit') giveUp(item)
  const again = items.flatMap((item, at) =>
    // What was judged of it before does not hold any more.
    verdicts[at] === 'again' ? [{ ...item, judgedAt: Number.NEGATIVE_INFINITY, alone: found[at]?.hasCode === true }] : [],
  )
  putBack(again)
  return items.filter((_, at) => verdicts[at] === 'fit')
}

function verdictOf({ alone }: Queued, found: readonly Fitness[], at: number): 'fit' | 'unfit' | 'again' {
  const mustPart = found[at]?.hasCode === true && !alone
  if (mustPart) return 'again'
  if (found[at]?.paid) return 'fit'
  // Code that does not belong here may have burnt the gas of this one: it is looked at again without it.
  return !alone && found.some(({ hasCode }) => hasCode) ? 'again' : 'unfit'
}
