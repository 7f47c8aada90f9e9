'use client'

import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { parseAsArrayOf, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { planNames } from '@/server/accounts/plans'
import { tenantOrders } from '@/server/operations/tenant-orders'
import type { Root } from '@/server/trpc/router'
import { Problem } from '../../client/problem'
import { ScreenHead } from '../../client/screen-head'
import { useTRPC } from '../../client/trpc'
import { useEnvironment } from '../../client/use-environment'
import { pageParser, usePages } from '../../client/use-pages'
import { Button } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { countedText } from '../../ui/list-summary'
import { Pager } from '../../ui/pager'
import { Empty } from '../../ui/panel'
import { optionOf, Pill } from '../../ui/pill'
import { SearchBox } from '../../ui/search-box'
import { Table } from '../../ui/table'
import { dollarText } from './coin'
import { tenantSumsQuery, tenantsQuery } from './tenant-queries'
import { planTitle } from './tenant-quota'
import { TenantCard, tenantColumns } from './tenant-row'

const HEIGHT = 'h-16'
const LOADING_CARD = 'h-[8.4rem] border-b px-4 py-5 last:border-b-0'

const states = ['all', 'active', 'revoked'] as const
const STATES = [
  ['', 'Any state'],
  ['active', 'Active'],
  ['revoked', 'Revoked'],
] as const
const ORDERS = [
  ['', 'Newest first'],
  ['volume', 'Largest volume'],
  ['settled', 'Most settlements'],
  ['gas', 'Most gas'],
] as const

const PLANS = [['', 'All plans'], ...planNames.map((name) => [name, planTitle(name)] as const)] as const

const parsers = {
  search: parseAsString.withDefault(''),
  plan: parseAsArrayOf(parseAsStringLiteral(planNames)).withDefault([]),
  state: parseAsStringLiteral(states).withDefault('all'),
  sort: parseAsStringLiteral(tenantOrders).withDefault('newest'),
  ...pageParser,
}

/** What the listed tenants came to; on a phone below their number. */
function Totals({ tenants, more, settled, volume, gasUsd }: inferRouterOutputs<Root>['admin']['tenantSums']) {
  const figures = [
    ...(settled === 0 ? [] : [`${settled.toLocaleString('en')} settled`, `${dollarText(volume)} volume`]),
    ...(gasUsd === null ? [] : [`${dollarText(gasUsd)} gas`]),
  ]
  return (
    <>
      {countedText(tenants, 'tenant', { more })}
      {figures.length === 0 ? null : (
        <span className="max-sm:block">
          <span className="max-sm:hidden"> · </span>
          {figures.join(' · ')}{' '}
          <span className="text-soft">in 30 days{more ? ` by the newest ${tenants.toLocaleString('en')}` : ''}</span>
        </span>
      )}
    </>
  )
}

/** All tenants, newest first or by what they bring or cost. */
export function Tenants() {
  const trpc = useTRPC()
  const { environment } = useEnvironment()
  const [{ search, plan, state, sort }, setInUrl] = useQueryStates(parsers)
  const change = (to: { plan?: typeof plan | null; state?: typeof state | null; sort?: typeof sort | null }) =>
    void setInUrl({ ...to, page: null }, { history: 'push' })
  const onSearch = (text: string) => void setInUrl({ search: text || null, page: null })
  const onOwner = (owner: string) => void setInUrl({ search: owner, page: null }, { history: 'push' })
  const clear = () => void setInUrl({ search: null, plan: null, state: null, page: null }, { history: 'push' })
  const choice = {
    ...(search ? { search } : {}),
    ...(plan.length > 0 ? { plans: plan } : {}),
    ...(state === 'all' ? {} : { revoked: state === 'revoked' }),
  }
  // As the page asks before it loads.
  const asked = { ...choice, ...(sort === 'newest' ? {} : { order: sort }) }
  const { cursor, neighbors } = usePages(JSON.stringify([asked, sort === 'newest' ? null : environment]))
  const input = environment ? { within: environment, ...asked, ...(cursor ? { cursor } : {}) } : skipToken
  const query = useQuery({ ...tenantsQuery(trpc, input), placeholderData: keepPreviousData })
  const sums = useQuery(tenantSumsQuery(trpc, environment ? { within: environment, ...choice } : skipToken))
  const { tenants, cursor: next, priced = false } = query.data ?? {}
  const filtered = Boolean(search) || plan.length > 0 || state !== 'all'
  const columns = tenantColumns({ onOwner, order: sort, onOrder: (to) => change({ sort: to }), priced })
  return (
    <>
      <ScreenHead title="Tenants">
        <search className="max-sm:w-[calc(100vw-2rem)] max-sm:*:w-full">
          <SearchBox
            what="tenants"
            applied={search}
            onSearch={onSearch}
            aria-label="Search tenants by name, owner or ID"
            placeholder="Name, owner or tenant ID"
            maxLength={200}
            boxClass="w-full sm:w-72"
            className="h-9 max-md:h-10"
          />
        </search>
      </ScreenHead>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <Pill
          label="State"
          value={state === 'all' ? '' : state}
          options={STATES}
          onChange={({ target }) => change({ state: optionOf(STATES, target.value) })}
        />
        <Pill
          label="Plan"
          value={plan.join(',')}
          options={plan.length > 1 ? [...PLANS, [plan.join(','), plan.map(planTitle).join(', ')]] : PLANS}
          onChange={({ target }) => {
            const one = optionOf(PLANS, target.value)
            change({ plan: one === null ? null : [one] })
          }}
        />
        <Pill
          label="Sort tenants by"
          value={sort === 'newest' ? '' : sort}
          unset={ORDERS[0][1]}
          options={ORDERS}
          onChange={({ target }) => change({ sort: optionOf(ORDERS, target.value) })}
          // The table has all its orders in its head.
          className={cx('md:hidden', tenants?.length === 0 && 'hidden')}
        />
        <p role="status" className="ml-auto min-h-5 text-sm tabular-nums max-md:basis-full max-sm:min-h-10">
          {sums.data ? <Totals {...sums.data} /> : null}
        </p>
      </div>
      {query.error ? (
        <Problem error={query.error} retry={query.refetch} />
      ) : tenants?.length === 0 ? (
        <div className="panel">
          {filtered ? (
            <Empty
              title={search ? `No tenants match “${search}”` : 'No tenants match'}
              action={<Button onClick={clear}>{plan.length === 0 && state === 'all' ? 'Clear search' : 'Clear filters'}</Button>}
            >
              Search for a part of a key's name, or for a whole owner or tenant ID.
            </Empty>
          ) : (
            <Empty title="No tenants yet">
              Tenants come from a merchant's key, an agent's first credits, or POST /admin/tenants.
            </Empty>
          )}
        </div>
      ) : (
        <div className={cx('panel', query.isPlaceholderData && 'opacity-60')} aria-busy={query.isPlaceholderData}>
          <Table
            columns={columns}
            rows={tenants}
            keyOf={({ id }) => id}
            gap="narrow"
            className="table-fixed [&_th]:align-top"
            rowClass={HEIGHT}
            cardClass="px-4 py-3"
            card={(tenant) => <TenantCard tenant={tenant} onOwner={onOwner} />}
            loading={{ count: 8, row: cx(HEIGHT, 'border-b last:border-b-0'), card: LOADING_CARD }}
          />
        </div>
      )}
      <Pager {...neighbors(next)} />
    </>
  )
}
