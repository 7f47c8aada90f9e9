'use client'

import { useEffect, useState } from 'react'
import { symbolsOn } from '@/server/x402/networks/assets'
import { networkIds, networksIn } from '@/server/x402/networks/networks'
import type { ReaderName } from '../../client/filter-parsers'
import { OwnerAndTenant } from '../../client/owner-and-tenant'
import { type PresetName, presets } from '../../client/presets'
import type { ChangeFilter, useFilters } from '../../client/use-filters'
import { useZone } from '../../client/zone'
import { Button } from '../../ui/button'
import { later } from '../../ui/later'
import { Skeleton } from '../../ui/panel'
import { ClearingPill, Pill } from '../../ui/pill'
import { SearchBox } from '../../ui/search-box'
import type { KeyNames } from './choice-names'
import { Choices } from './choices'
import { type OrderName, orders } from './columns'
import type { Spare } from './few'
import { presetOf, rangeOf } from './ranges'
import type { View } from './use-view'

const ORDERS = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  largest: 'Largest first',
  smallest: 'Smallest first',
} as const satisfies Record<OrderName, string>

type Props = Omit<ReturnType<typeof useFilters>, 'ready'> & {
  reader: ReaderName
  /** What the list has: "settlements". */
  what: string
  keys?: KeyNames
  /** The tokens of the rows on the screen. */
  tokens: readonly string[]
  /** Whether the list below has the button that clears all. */
  clearedBelow: boolean
  view: View
  /** The filters that the list goes without. */
  spare: readonly Spare[]
}

/** The filters of a settlement list, kept in the URL: one row, which scrolls sideways below the search on a phone. */
export function Filters({ reader, what, filter, change, clear, any, only, keys, tokens, clearedBelow, view, spare }: Props) {
  const selectable = filter.environment ? networksIn(filter.environment) : networkIds
  // A list without any choice needs a row of filters only for one that a link brought.
  if (spare.includes('range') && !any && view.sort === 'newest') return null
  const isFew = spare.includes('search')
  const symbols = [...new Set([...(isFew ? [] : symbolsOn(selectable)), ...tokens, ...(filter.asset ? [filter.asset] : [])])]
  return (
    <search className="mb-4 grid min-w-0 grid-cols-1 gap-2 md:flex md:grow md:flex-wrap md:items-center">
      {isFew && !filter.search ? null : (
        <SearchBox
          what={what}
          applied={filter.search ?? ''}
          onSearch={(search) => change({ search: search || null }, { history: 'replace' })}
          name="search"
          title="Words of resources and reasons, an amount, or the beginning of an ID, address or transaction"
          placeholder={`Search ${what}`}
          boxClass="md:max-lg:basis-full lg:min-w-40 lg:max-w-md lg:grow lg:basis-40"
          className="h-10 md:h-8 md:text-sm"
        />
      )}
      <div className="-mx-4 -my-1 flex items-center gap-2 overflow-x-auto py-1 pr-16 pl-4 [mask-image:linear-gradient(to_right,black_calc(100%-4rem),transparent_calc(100%-1rem))] [scrollbar-width:none] sm:max-md:-mx-6 sm:max-md:pl-6 md:contents">
        <RangeChoice from={filter.from} to={filter.to} change={change} />
        <Choices reader={reader} filter={filter} change={change} keys={keys} spare={spare} />
        {reader === 'admin' ? <OwnerAndTenant filter={filter} change={change} /> : null}
        {symbols.length > 1 || filter.asset ? (
          <Pill
            label="Token"
            value={filter.asset ?? ''}
            options={[['', 'All tokens'], ...symbols.map((symbol) => [symbol, symbol] as const)]}
            onChange={({ target }) => change({ asset: target.value || null })}
          />
        ) : null}
        {isFew && view.sort === 'newest' ? null : (
          <Pill
            label="Order"
            value={view.sort === 'newest' ? '' : view.sort}
            unset={ORDERS.newest}
            options={orders.map((name) => [name === 'newest' ? '' : name, ORDERS[name]] as const)}
            onChange={({ target }) => view.order(orders.find((name) => name === target.value) ?? 'newest')}
            className="md:hidden"
          />
        )}
        {filter.transaction ? (
          <ClearingPill
            text={`Transaction: ${filter.transaction}`}
            clears="Clear transaction filter"
            onClear={() => change({ transaction: null })}
          />
        ) : null}
        {/* The box and the tabs clear their own. */}
        {any && only !== 'search' && only !== 'status' && !clearedBelow ? (
          <Button look="quiet" size="small" onClick={clear} className="shrink-0 rounded-full">
            Clear filters
          </Button>
        ) : null}
      </div>
    </search>
  )
}

// Loaded for a range without a name.
const DateRange = later(
  () => import('./date-range').then((loaded) => loaded.DateRange),
  <Skeleton className="h-8 w-128 shrink-0 rounded-full" />,
)

type Choosable = PresetName | '' | 'custom'

const OPTIONS: readonly (readonly [Choosable, string])[] = [['', 'All time'], ...presets, ['custom', 'Custom range']]

type RangeProps = { from: string | undefined; to: string | undefined; change: ChangeFilter }

/** The range of time of a list: a preset, or days. */
function RangeChoice({ from, to, change }: RangeProps) {
  const zone = useZone()
  const [asked, setAsked] = useState(false)
  useEffect(() => {
    if (!from && !to) setAsked(false)
  }, [from, to])
  const now = new Date()
  const range = from && to ? { from, to } : null
  const chosen: Choosable = asked ? 'custom' : range ? (presetOf(range, now, zone) ?? 'custom') : from || to ? 'custom' : ''
  const choose = (name: Choosable) => {
    setAsked(name === 'custom')
    if (name === '') change({ from: null, to: null })
    else if (name !== 'custom') change(rangeOf(name, now, zone))
  }
  return (
    <>
      <Pill
        label="Range of time"
        value={chosen}
        options={OPTIONS}
        unset="All time"
        onChange={({ target }) => choose(OPTIONS.find(([name]) => name === target.value)?.[0] ?? '')}
      />
      {chosen === 'custom' ? <DateRange from={from} to={to} zone={zone} onChange={change} /> : null}
    </>
  )
}
