import { chargingKeysOf, type Owner } from '../../accounts/tenant-queries'
import { networksWithin } from '../../analytics/analytics'
import type { AnalyticsSelection } from '../../analytics/figures'
import type { App } from '../../app'
import { DAY_MS } from '../../base/durations'
import { slotMs } from '../../base/zones'
import { sumNewest } from '../../sums/sum-queries'
import { type Cause, causeOf, codeOf } from '../../x402/reasons/causes'

/** The newest payments of the last day that are counted. */
const COUNTED_MAX = 5_000
const KEPT_MS = 60_000

const BY = { outcomes: ['reason', 'accepted'] } as const

type Parts = Pick<App, 'sums' | 'counting' | 'recent' | 'now'>

/**
 * How an owner's valid payments of the last 24 hours fared: how many there were, and how many this facilitator and the chain failed, with
 * their reason codes. Payers' faults do not count. At most a minute old, and of the newest 5,000 attempts if there were more.
 */
export function faultsOf(app: Parts, owner: Owner, within: AnalyticsSelection['within'], reader: string) {
  const key = `faults ${JSON.stringify([owner, within])}`
  return app.recent(reader, key, KEPT_MS, () =>
    app.counting(reader, key, async () => {
      // Sums have whole slots.
      const since = Math.floor((app.now().getTime() - DAY_MS) / slotMs) * slotMs
      const windows = [{ from: since, until: since + 2 * DAY_MS }]
      const query = { filter: { owner: chargingKeysOf(owner) }, networks: networksWithin(within), windows, since }
      const { sums } = await sumNewest(app.sums, query, BY, COUNTED_MAX)
      return { since: new Date(since).toISOString(), ...presentFaults(sums.outcomes) }
    }),
  )
}

type Outcome = { reason: string; accepted: boolean; count: number }

/** Outcomes by whose fault they are. */
export function presentFaults(outcomes: readonly Outcome[]) {
  const of = (cause: Cause) =>
    outcomes.filter(({ reason, accepted }) => reason !== '' && causeOf(codeOf(reason), accepted) === cause)
  const [ours, chain] = [of('facilitator'), of('chain')]
  const settled = countOf(outcomes.filter(({ reason }) => reason === ''))
  const failed = { facilitator: countOf(ours), chain: countOf(chain) }
  const reasons = [...new Set([...ours, ...chain].map(({ reason }) => reason))].toSorted()
  return { valid: settled + failed.facilitator + failed.chain, failed, reasons }
}

const countOf = (outcomes: readonly Outcome[]) => outcomes.reduce((sum, { count }) => sum + count, 0)
