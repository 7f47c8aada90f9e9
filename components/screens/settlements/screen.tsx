'use client'

import { Pause, Play, RefreshCw } from 'lucide-react'
import { useQueryState } from 'nuqs'
import { type ReactNode, useState } from 'react'
import type { Shown } from '@/server/history/present'
import type { Filter, ReaderName } from '../../client/filter-parsers'
import { Problem } from '../../client/problem'
import { ScreenHead } from '../../client/screen-head'
import { parseAsUuid, queryOf, useFilters } from '../../client/use-filters'
import { useZoneChoice } from '../../client/zone'
import { Button } from '../../ui/button'
import { later } from '../../ui/later'
import { countedText, ListSummary } from '../../ui/list-summary'
import { Pager } from '../../ui/pager'
import { Panel, Skeleton } from '../../ui/panel'
import type { KeyNames } from './choice-names'
import { type Spare, spareFor } from './few'
import { Filters } from './filters'
import { SettlementList } from './list'
import { PendingPayments } from './pending'
import { hasOnlyFailed } from './queries'
import { Outcomes, rangeText, summaryText, useSummary } from './summary'
import { type LiveState, useSettlements } from './use-settlements'
import { useView, type View } from './use-view'

// Loaded when a row is near to be opened, to keep first load small.
const load = () => import('./details')
const Details = later(() => load().then((loaded) => loaded.Details))
const prepare = () => void load().then(({ loadDetails }) => loadDetails())

// Loaded after the rows, in the room that it takes.
const ListMenus = later(
  () => import('./list-menus').then((loaded) => loaded.ListMenus),
  <Skeleton className="h-8 w-10.5 rounded-lg md:w-full" />,
)

// Loaded for lists of failures only.
const ReasonChips = later(
  () => import('./reason-chips').then((loaded) => loaded.ReasonChips),
  <Skeleton className="mb-3 h-8 w-full" />,
)

// Loaded for long searches only.
const LimitNote = later(() => import('./limit-note').then((loaded) => loaded.LimitNote))

// Loaded for empty lists only.
const NoneYet = later(() => import('./empty-states').then((loaded) => loaded.NoneYet), <Skeleton className="h-96 rounded-xl" />)
const NoneFound = later(() => import('./empty-states').then((loaded) => loaded.NoneFound), <Skeleton className="m-4 h-40" />)

type Props = {
  reader: ReaderName
  title: string
  /** The names of its keys, as far as the screen knows them. */
  keys?: KeyNames
  /** What to say and do before the first settlement of an environment. */
  empty: { what: string; text: string; action?: ReactNode }
  /** What the list has, below its title. */
  about?: ReactNode
  /** Content between title and list. */
  children?: ReactNode
  /** Below those, also before the first settlement. */
  always?: ReactNode
  /** Below the list; before the first settlement with those above. */
  below?: ReactNode
}

/** Settlements with filters, details and pages. The first page of the newest updates live. */
export function SettlementScreen({ reader, title, keys, empty, about, always, below, children }: Props) {
  const filters = useFilters()
  const view = useView(reader)
  // Also applies the zone of the URL to the page.
  const [zone, chooseZone] = useZoneChoice()
  const { query, stale, live, newer, older } = useSettlements(reader, filters.filter, view.sort, filters.ready)
  const [opened, setOpened] = useQueryState('id', parseAsUuid.withOptions({ history: 'push' }))
  const [used, setUsed] = useState(false)
  if (opened !== null && !used) setUsed(true)
  const { data, error } = query
  // An empty answer to an earlier question says nothing about this one.
  const rows = stale && live.rows?.length === 0 ? undefined : live.rows
  // The tab says the outcome.
  const onlyFailed = hasOnlyFailed(filters.filter)
  const byTime = view.sort === 'newest' || view.sort === 'oldest'
  // Without the right to read, nothing else on the screen would work.
  const refused = !data && (error?.data?.code === 'UNAUTHORIZED' || error?.data?.code === 'FORBIDDEN')
  const unread = Boolean(error && !data)
  // Before the first settlement there is nothing to filter, order or export.
  const bare = rows?.length === 0 && !filters.any && !newer && !older
  // A search that reached its limit goes on below instead.
  const further = data?.limitedTo != null && byTime
  const summary = useSummary(reader, filters.filter, { enabled: filters.ready, arrived: live.arrived.size })
  const known = summary && rows?.length !== 0 && !stale ? summary : null
  // A payer's spending above says as much of all its payments.
  const isSaid = reader === 'payer' && !filters.any
  // A payer judges no service by its own payments.
  const inWords = (short: boolean) =>
    known && !isSaid ? summaryText(known, filters.filter, { what: empty.what, short, judges: reader !== 'payer' }) : null
  const onOpen = (id: string) => void setOpened(id)
  const hrefOf = (id: string) => `?${new URLSearchParams([...queryOf(filters.filter), ['id', id]])}`
  const clearedBelow = rows?.length === 0 && !further
  const isNarrowed = stale || filters.any
  const spare = useSpare(reader, filters.filter.environment, isNarrowed ? undefined : newer || older ? null : rows)
  const outcomes =
    spare.includes('outcome') && !onlyFailed && !filters.filter.status ? null : (
      <Outcomes filter={filters.filter} summary={summary} failed={unread} change={filters.change} />
    )
  const inLine = isSaid ? null : <ListSummary parts={[inWords(false)]} className="max-md:hidden" />
  return (
    <>
      <ScreenHead title={title}>
        {unread || (bare && live.state === 'live') ? null : <LiveSwitch state={live.state} onToggle={live.toggle} />}
        {refused || bare ? null : (
          <fieldset disabled={unread} className="flex min-w-10.5 justify-end gap-2 md:min-w-[11.15rem]">
            <ListMenus
              reader={reader}
              view={view}
              zone={zone}
              chooseZone={chooseZone}
              filter={filters.filter}
              summary={summary}
            />
          </fieldset>
        )}
      </ScreenHead>
      {refused || !about ? null : <p className="-mt-3 mb-5 max-w-3xl text-soft">{about}</p>}
      {refused ? null : (
        <div className="mb-4 grid grid-cols-1 gap-4 empty:hidden">
          {bare ? null : children}
          {always}
          {bare ? below : null}
        </div>
      )}
      {refused || bare ? null : (
        <fieldset disabled={unread} className="contents disabled:*:opacity-50">
          <Filters
            {...filters}
            reader={reader}
            view={view}
            clearedBelow={clearedBelow}
            what={empty.what}
            {...(keys ? { keys } : {})}
            spare={spare}
            tokens={rows?.map(({ asset }) => asset) ?? []}
          />
        </fieldset>
      )}
      {refused || bare || (outcomes === null && inLine === null) ? null : (
        <fieldset
          disabled={unread}
          className="mb-3 flex min-h-8 flex-wrap items-center justify-between gap-x-3 gap-y-2 disabled:opacity-50 max-md:block"
        >
          {outcomes}
          {inLine}
        </fieldset>
      )}
      {onlyFailed && !unread && reader !== 'payer' ? (
        <ReasonChips reader={reader} filter={filters.filter} change={filters.change} enabled={filters.ready} />
      ) : null}
      {error ? <Problem error={error} retry={query.refetch} whole={unread} /> : null}
      {unread ? null : (
        <>
          {newer ? null : (
            <PendingPayments reader={reader} onOpen={onOpen} hrefOf={hrefOf} filter={filters.filter} enabled={filters.ready} />
          )}
          <NewRows count={live.waiting} onShow={live.show} />
          {bare ? (
            <NoneYet {...empty} view={view} />
          ) : rows?.length === 0 ? (
            <Panel>
              <NoneFound
                further={further}
                what={empty.what}
                search={filters.filter.search}
                searchOnly={filters.only === 'search'}
                clear={filters.clear}
              />
            </Panel>
          ) : (
            <SettlementList
              rows={rows}
              stale={stale}
              view={onlyFailed ? failedView(view, rows) : view}
              caption={known && isSaid ? countedText(known.own.count, 'payment', known.own) : inWords(true)}
              arrived={live.arrived}
              onOpen={onOpen}
              onNear={prepare}
              hrefOf={hrefOf}
            />
          )}
          {data?.limitedTo ? <LimitNote to={data.limitedTo} mostRead={data.mostRead} sort={view.sort} onFurther={older} /> : null}
          {/* Below rows only: it would move as they arrive. */}
          {rows ? (
            <Pager
              newer={newer}
              older={older}
              names={view.sort === 'newest' ? ['Newer', 'Older'] : ['Previous', 'Next']}
              range={known && rangeText(rows.length, known, newer === null)}
            />
          ) : null}
        </>
      )}
      {(rows || unread) && !refused && !bare && below ? <div className="mt-4 empty:hidden">{below}</div> : null}
      {used ? (
        <Details
          reader={reader}
          id={opened}
          rows={rows}
          onOpen={(id) => void setOpened(id, { history: 'replace' })}
          onClose={() => void setOpened(null)}
          onResource={(resource) => {
            void setOpened(null)
            filters.change({ resource: [resource] })
          }}
        />
      ) : null}
    </>
  )
}

type Kept = { environment: Filter['environment']; spare: readonly Spare[] }

/** What the list of an environment goes without, by all of its rows: null if they are more than a page, undefined while they are not known. */
function useSpare(reader: ReaderName, environment: Filter['environment'], rows: readonly Shown[] | null | undefined) {
  const [kept, setKept] = useState<Kept>({ environment, spare: [] })
  const spare = kept.environment === environment ? kept.spare : []
  if (rows === undefined || reader === 'admin') return spare
  const few = rows === null ? [] : spareFor(rows)
  // A merchant's list grows: it keeps its search, outcomes and range. A payer reads a few payments without any filter.
  const now =
    reader === 'merchant'
      ? few.filter((name) => name !== 'search' && name !== 'outcome' && name !== 'range')
      : reader === 'payer' && few.length > 0
        ? [...few, 'range' as const]
        : few
  if (now.join() !== spare.join()) setKept({ environment, spare: now })
  return now
}

/** A list of failures leads with why; the tab above says the outcome. */
function failedView(view: View, rows: readonly Shown[] = []): View {
  const columns = view.columns.filter((name) => name !== 'outcome')
  if (!view.isUsual) return { ...view, columns }
  const hasTransactions = rows.some(({ txHash }) => txHash)
  const others = columns.filter((name) => name !== 'time' && (name !== 'transaction' || hasTransactions))
  return { ...view, columns: ['time', 'reason', ...others] }
}

const TEXTS = {
  live: { text: 'Live updates on', title: 'New settlements appear by themselves. Pause' },
  paused: { text: 'Paused', title: 'New settlements do not appear. Resume' },
  retrying: { text: 'Reconnecting', title: 'New settlements could not be read; the next try follows. Pause' },
} as const

/** Says whether new rows arrive by themselves, and pauses them. Absent where none arrive. */
function LiveSwitch({ state, onToggle }: { state: LiveState; onToggle: () => void }) {
  if (state === null) return null
  const { text, title } = TEXTS[state]
  const Icon = state === 'paused' ? Play : state === 'retrying' ? RefreshCw : Pause
  return (
    <Button size="small" aria-label={`${text}: ${title}`} title={title} onClick={onToggle}>
      <span
        aria-hidden
        className={`size-2 rounded-full ${state === 'live' ? 'beating bg-accent' : state === 'paused' ? 'bg-line' : 'bg-warn'}`}
      />
      {/* A phone has room for the title and the menu beside it. */}
      <span className="max-sm:hidden">{text}</span>
      <span className="sm:hidden">{state === 'paused' ? text : 'On'}</span>
      <Icon aria-hidden className={Icon === Pause ? 'size-3.5 fill-current text-soft' : 'size-3.5'} />
    </Button>
  )
}

/** A button for the rows that wait because the reader is further down. */
function NewRows({ count, onShow }: { count: number; onShow: () => void }) {
  const look = () => {
    onShow()
    scrollTo({ top: 0 })
  }
  return (
    <div role="status" className="sticky top-3 z-20 grid justify-items-center max-lg:top-16">
      {count > 0 ? (
        <Button look="primary" size="small" className="mb-2 rounded-full shadow-lg" onClick={look}>
          {countedText(count, 'new settlement')}
        </Button>
      ) : null}
    </div>
  )
}
