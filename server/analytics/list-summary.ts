import type { TenantFilter } from '../accounts/tenant-queries'
import type { App } from '../app'
import { DAY_MS } from '../base/durations'
import { slotMs } from '../base/zones'
import type { ListFilter } from '../history/list-queries'
import { COUNTED_MAX, readTally, type Tally } from '../history/tally-queries'
import type { Span } from '../sums/periods'
import { type Clock, readAnalyticsClock, type SumQuery, type Sums, sumCompleted, sumNewest } from '../sums/sum-queries'
import { bySymbol, tokenNamed } from '../x402/networks/assets'
import { networksIn } from '../x402/networks/networks'
import { COMPLETED_MS } from './analytics'
import { countOf, isValid } from './outcomes'
import { readListExtent } from './queries'

type Parts = Pick<App, 'db' | 'sums' | 'lists' | 'coalesce' | 'counting' | 'recent'>
type Asked = { app: Parts; reader: string }

/** Longer lists are counted by their rows. */
const DAYS_MAX = 1_100

/** The maximum number of today's rows to count. */
const TODAY_MAX = 50_000

/** An answer of a busy day is kept for up to ten seconds. */
const KEPT_MS_MAX = 10_000

/**
 * How many settlements of a list settled and failed, and what the settled ones are worth, per token. `count` is of the outcome and the
 * reasons of the filter; `settled`, `failed` and `valid` (all but the faults of payers) are of all. Completed days come from their sums where these can tell the filter's rows apart;
 * any other list counts its newest `counted` rows: `more` says that it has others.
 */
export async function summarizeList(asked: Asked, { success, reasons, ...filter }: ListFilter) {
  const all = (await summed(asked, filter)) ?? (await tallied(asked, filter))
  const narrows = success !== undefined || reasons !== undefined
  // Failures have an index of their own, so more of them can be counted.
  const own =
    narrows && all.more && success !== true
      ? await tallied(asked, { ...filter, success: false, ...(reasons ? { reasons } : {}) })
      : { ...all, outcomes: all.outcomes.filter(({ reason }) => isWanted(reason, success, reasons)) }
  const settled = all.outcomes.filter(({ reason }) => reason === '')
  return {
    settled: countOf(settled),
    failed: countOf(all.outcomes) - countOf(settled),
    valid: countOf(all.outcomes.filter(isValid)),
    more: all.more,
    volumes: [...new Set(settled.map(({ symbol }) => symbol))].toSorted(bySymbol).map((symbol) => ({
      asset: symbol,
      decimals: tokenNamed(symbol).decimals,
      amount: settled.reduce((sum, row) => (row.symbol === symbol ? sum + BigInt(row.volume) : sum), 0n).toString(),
    })),
    own: { count: countOf(own.outcomes), more: own.more },
    counted: COUNTED_MAX,
  }
}

function isWanted(reason: string, success: boolean | undefined, reasons: readonly string[] | undefined): boolean {
  if (reasons) return reason !== '' && success !== true && reasons.includes(reason)
  return success === undefined || success === (reason === '')
}

const tallied = ({ app, reader }: Asked, filter: ListFilter) => app.lists(reader, (db) => readTally(db, filter))

type Summable = { filter: TenantFilter; networks: readonly string[] | undefined; symbol: string | undefined }

/** The outcomes of a list from the sums of its days and the rows of today. Null if sums cannot tell its rows apart. */
async function summed({ app, reader }: Asked, list: ListFilter): Promise<Tally | null> {
  const parts = summable(list)
  if (!parts || !onSlots(list)) return null
  const tallies: Tally[] = []
  for (const part of parts) {
    const { known, begin, whole } = await app.lists(reader, (db) => readListExtent(db, part.filter))
    if (!whole) return null
    if (!known || begin === null) continue
    const oldest = Math.floor(begin.getTime() / DAY_MS) * DAY_MS
    const span = { from: Math.max(oldest, list.since ?? 0), until: list.until ?? Number.POSITIVE_INFINITY }
    const tally = await sumOf(app, reader, part, span)
    if (!tally) return null
    tallies.push(tally)
  }
  return { outcomes: tallies.flatMap(({ outcomes }) => outcomes), more: tallies.some(({ more }) => more) }
}

/** What to sum for a list: each of its keys, or its owner's all. Null if it has another condition. */
function summable({ since: _since, until: _until, ...filter }: ListFilter): Summable[] | null {
  const { owner, tenantId, tenantIds, networks, environment, symbol, ...others } = filter
  const keys = tenantIds ?? (tenantId === undefined ? null : [tenantId])
  if ((tenantId !== undefined && tenantIds) || Object.values(others).some((condition) => condition !== undefined)) return null
  const within: readonly string[] | undefined = environment && networksIn(environment)
  const places = networks && within ? networks.filter((place) => within.includes(place)) : (networks ?? within)
  const of = { networks: places, symbol }
  const whose = owner ? { owner } : {}
  return keys ? [...new Set(keys)].map((id) => ({ filter: { ...whose, tenantId: id }, ...of })) : [{ filter: whose, ...of }]
}

// Sums are by quarters of an hour.
const onSlots = ({ since = 0, until = 0 }: ListFilter) => since % slotMs === 0 && until % slotMs === 0

const BY = { outcomes: ['symbol', 'accepted', 'reason'] } as const

type OutcomeSums = Sums<typeof BY>

async function sumOf(app: Parts, reader: string, { filter, networks, symbol }: Summable, span: Span): Promise<Tally | null> {
  const clock = await readAnalyticsClock(app.db, epochOf(filter))
  const today = Date.parse(clock.today)
  const completed = { from: span.from, until: Math.min(span.until, today) }
  if (completed.until - completed.from > DAYS_MAX * DAY_MS) return null
  const query = (windows: Span[]): SumQuery => ({ filter, networks, windows })
  const key = `list ${JSON.stringify([filter, networks, clock.today, clock.epoch])}`
  const days =
    completed.from < completed.until
      ? await completedSums(app, reader, `${key} ${completed.from} ${completed.until}`, clock, query([completed]))
      : null
  // Rows may come after midnight meanwhile.
  const live = { from: Math.max(span.from, today), until: Math.min(span.until, today + 2 * DAY_MS) }
  const now =
    live.from < live.until
      ? await app.recent(reader, `${key} ${live.from} ${live.until} of today`, keptMsOf, () =>
          app.counting(reader, `${key} ${live.from} ${live.until}`, () =>
            sumNewest(app.sums, { ...query([live]), since: live.from }, BY, TODAY_MAX),
          ),
        )
      : null
  const outcomes = [...(days?.outcomes ?? []), ...(now?.sums.outcomes ?? [])]
  return { outcomes: outcomes.filter((row) => symbol === undefined || row.symbol === symbol), more: now?.more ?? false }
}

// Rows of the last day may still be uncommitted: such sums are not kept.
const completedSums = (app: Parts, reader: string, key: string, clock: Clock, query: SumQuery): Promise<OutcomeSums> =>
  app.recent(reader, key, clock.settled ? COMPLETED_MS : 0, () =>
    app.coalesce(reader, key, () => sumCompleted(app.sums, { ...query, until: clock.today }, BY)),
  )

const keptMsOf = ({ sums: { outcomes } }: { sums: OutcomeSums }) => Math.min(KEPT_MS_MAX, countOf(outcomes))

// A filter of an owner of either kind has no counter of its own.
function epochOf({ owner }: TenantFilter): string {
  const [kind, ...others] = owner?.kinds ?? []
  return owner && kind !== undefined && others.length === 0 ? `owner:${kind}:${owner.id}` : 'all'
}
