'use client'

import { ListFilter } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useId, useState } from 'react'
import { networkIds, networksIn } from '@/server/x402/networks'
import { Button } from '../ui/button'
import { cx } from '../ui/class-names'
import { Choice, optionOf } from '../ui/fields'
import { Chip } from './chip'
import { type OrderName, orders } from './columns'
import { titleOf } from './explorer'
import { OwnerAndTenant } from './owner-and-tenant'
import { RangeChoice } from './range-choice'
import { SearchBox } from './search-box'
import type { useFilters } from './use-filters'
import type { View } from './use-view'

// They hold the titles of all reasons.
const ReasonChoice = dynamic(() => import('./reason-choice').then((loaded) => loaded.ReasonChoice), {
  ssr: false,
  loading: () => <Choice label="Reason" value="" options={[['', 'All reasons']]} className="sm:max-w-48" disabled />,
})
const ReasonChips = dynamic(() => import('./reason-choice').then((loaded) => loaded.ReasonChips), { ssr: false })

const STATUS = [
  ['', 'All outcomes'],
  ['success', 'Settled'],
  ['failed', 'Failed'],
] as const
const ORDERS = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  largest: 'Largest first',
  smallest: 'Smallest first',
} as const satisfies Record<OrderName, string>

/** Filters that links set; a click clears them. */
const CHIPS = [
  ['resource', 'Clear resource filter'],
  ['payer', 'Clear payer filter'],
  ['transaction', 'Clear transaction filter'],
] as const

type Props = ReturnType<typeof useFilters> & {
  keys?: readonly (readonly [id: string, name: string])[]
  /** Whether the list covers all owners. */
  allOwners?: boolean
  view: View
}

/** The filters of a settlement list, kept in the URL. */
export function Filters({ filter, change, clear, any, keys, allOwners = false, view }: Props) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const selectable = filter.environment ? networksIn(filter.environment) : networkIds
  const networks = [['', 'All networks'], ...selectable.map((id) => [id, titleOf(id)] as const)] as const
  return (
    <search className="mb-4 grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox
          key={filter.search ?? ''}
          initial={filter.search ?? ''}
          onSearch={(search) => change({ search: search || null })}
        />
        <RangeChoice from={filter.from} to={filter.to} change={change} />
        <Button size="small" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)} className="sm:hidden">
          <ListFilter aria-hidden className="size-4" /> Filters
        </Button>
      </div>
      <div id={id} className={cx('flex-wrap items-center gap-2 sm:flex', open ? 'grid grid-cols-2' : 'hidden')}>
        <Choice
          label="Outcome"
          value={filter.status ?? ''}
          options={STATUS}
          onChange={({ target }) => {
            const status = optionOf(STATUS, target.value)
            change({ status, ...(status === 'success' ? { reason: null } : {}) })
          }}
        />
        <ReasonChoice reason={filter.reason} change={change} />
        <Choice
          label="Network"
          value={filter.network ?? ''}
          options={networks}
          onChange={({ target }) => change({ network: optionOf(networks, target.value) })}
        />
        {keys ? (
          <Choice
            label="API key"
            value={filter.key ?? ''}
            options={[['', 'All keys'], ...keys]}
            onChange={({ target }) => change({ key: target.value || null })}
            className="sm:max-w-48"
          />
        ) : null}
        {allOwners ? <OwnerAndTenant filter={filter} change={change} /> : null}
        <Choice
          label="Order"
          value={view.sort}
          options={orders.map((name) => [name, ORDERS[name]] as const)}
          onChange={({ target }) => view.order(orders.find((name) => name === target.value) ?? 'newest')}
          className="md:hidden"
        />
      </div>
      {any ? <Chosen {...{ filter, change, clear }} /> : null}
    </search>
  )
}

/** The filters that have no field of their own, and a button that clears all. */
function Chosen({ filter, change, clear }: Pick<Props, 'filter' | 'change' | 'clear'>) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ReasonChips reason={filter.reason} change={change} />
      {CHIPS.map(([name, clears]) => {
        const text = filter[name]
        return text ? <Chip key={name} text={text} clears={clears} onClear={() => change({ [name]: null })} /> : null
      })}
      <Button look="quiet" size="small" onClick={clear}>
        Clear filters
      </Button>
    </div>
  )
}
