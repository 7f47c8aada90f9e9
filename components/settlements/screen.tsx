'use client'

import { useQueryState } from 'nuqs'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { environmentTitles, useEnvironment } from '../data/environment'
import { useZone } from '../data/zone'
import { ScreenHead } from '../shell/shell'
import { Button } from '../ui/button'
import { Empty, Problem } from '../ui/panel'
import { ExportMenu } from './export-menu'
import { Filters } from './filters'
import { LimitNote } from './limit-note'
import { Pager, SettlementList } from './list'
import { LiveSwitch, NewRows } from './live-state'
import { parseAsUuid, queryOf, type ReaderName, useFilters } from './use-filters'
import { useSettlements } from './use-settlements'
import { useView } from './use-view'
import { ViewMenu } from './view-menu'

// Loaded when a drawer first opens, to keep first load small.
const Details = lazy(() => import('./details').then((loaded) => ({ default: loaded.Details })))

type Props = {
  reader: ReaderName
  title: string
  /** The keys to filter by, empty while they load; none where a reader has no keys of its own. */
  keys?: readonly (readonly [id: string, name: string])[]
  /** What to say and do before the first settlement of an environment. */
  empty: { what: string; text: string; action?: ReactNode }
  /** Content between title and list. */
  children?: ReactNode
}

/** Settlements with filters, details and pages. The first page of the newest updates live. */
export function SettlementScreen({ reader, title, keys, empty, children }: Props) {
  const filters = useFilters()
  const zone = useZone()
  const view = useView(reader)
  const { query, stale, live, newer, older } = useSettlements(reader, filters.filter, view.sort, filters.ready)
  const [opened, setOpened] = useQueryState('id', parseAsUuid.withOptions({ history: 'push' }))
  const [used, setUsed] = useState(false)
  if (opened !== null && !used) setUsed(true)
  const { data, error } = query
  const rows = live.rows
  const byTime = view.sort === 'newest' || view.sort === 'oldest'
  // Without the right to read, nothing else on the screen would work.
  const refused = !data && (error?.data?.code === 'UNAUTHORIZED' || error?.data?.code === 'FORBIDDEN')
  // Before the first settlement there is nothing to filter, order or export.
  const bare = rows?.length === 0 && !filters.any && !newer && !older
  return (
    <>
      <ScreenHead title={title}>
        {refused ? null : <LiveSwitch state={live.state} onToggle={live.toggle} />}
        {refused || bare ? null : (
          <>
            <ExportMenu reader={reader} filter={filters.filter} zone={zone} />
            <ViewMenu reader={reader} view={view} />
          </>
        )}
      </ScreenHead>
      {refused ? null : children}
      {refused || bare ? null : <Filters {...filters} {...(keys ? { keys } : {})} allOwners={reader === 'admin'} view={view} />}
      {error ? <Problem error={error} retry={query.refetch} /> : null}
      {error && !data ? null : (
        <>
          <NewRows count={live.waiting} onShow={live.show} />
          {rows?.length === 0 ? (
            <div className="rounded-xl border border-solid border-line bg-card">
              {bare ? <NoneYet {...empty} /> : <NoneFound further={data?.limitedTo != null && byTime} clear={filters.clear} />}
            </div>
          ) : (
            <SettlementList
              {...{ rows, stale, view }}
              arrived={live.arrived}
              onOpen={(id) => void setOpened(id)}
              hrefOf={(id) => `?${new URLSearchParams([...queryOf(filters.filter), ['id', id]])}`}
            />
          )}
          {data?.limitedTo ? <LimitNote to={data.limitedTo} mostRead={data.mostRead} sort={view.sort} onFurther={older} /> : null}
          <Pager newer={newer} older={older} names={view.sort === 'newest' ? ['Newer', 'Older'] : ['Previous', 'Next']} />
        </>
      )}
      {used ? (
        <Suspense>
          <Details
            reader={reader}
            id={opened}
            rows={rows}
            onOpen={(id) => void setOpened(id, { history: 'replace' })}
            onClose={() => void setOpened(null)}
            onResource={(resource) => {
              void setOpened(null)
              filters.change({ resource })
            }}
          />
        </Suspense>
      ) : null}
    </>
  )
}

function NoneYet({ what, text, action }: Props['empty']) {
  const { environment } = useEnvironment()
  return (
    <Empty
      title={`No ${environment ? `${environmentTitles[environment]} ` : ''}${what} yet`}
      action={
        <>
          {action}
          <LookElsewhere />
        </>
      }
    >
      {text}
    </Empty>
  )
}

/** Opens the list of the other environment. */
function LookElsewhere() {
  const { environment, setEnvironment } = useEnvironment()
  if (!environment) return null
  const other = environment === 'mainnet' ? 'testnet' : 'mainnet'
  return <Button onClick={() => setEnvironment(other)}>Look in {environmentTitles[other]}</Button>
}

function NoneFound({ further, clear }: { further: boolean; clear: () => unknown }) {
  const { environment } = useEnvironment()
  if (further) return <Empty title="Nothing found yet">Older settlements are not searched yet.</Empty>
  return (
    <Empty
      title="No matching settlements"
      action={
        <>
          <Button onClick={() => void clear()}>Clear filters</Button>
          <LookElsewhere />
        </>
      }
    >
      {environment
        ? `None among ${environmentTitles[environment]} settlements. Change the search, or:`
        : 'Clear a filter or change the search.'}
    </Empty>
  )
}
