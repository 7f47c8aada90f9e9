'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { parseAsString, useQueryStates } from 'nuqs'
import { Problem } from '../../client/problem'
import { ScreenHead } from '../../client/screen-head'
import { useColumnZone } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { pageParser, usePages } from '../../client/use-pages'
import { Button } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { Pager } from '../../ui/pager'
import { Empty } from '../../ui/panel'
import { SearchBox } from '../../ui/search-box'
import { Table } from '../../ui/table'
import { tenantsQuery } from './queries'
import { TenantCard, tenantColumns } from './tenant-row'

const HEIGHT = 'h-13'
const LOADING_CARD = 'h-[10.25rem] border-b px-4 py-5 last:border-b-0'

const parsers = { search: parseAsString.withDefault(''), ...pageParser }

/** All tenants, newest first. */
export function Tenants() {
  const trpc = useTRPC()
  const [{ search }, setInUrl] = useQueryStates(parsers)
  const onSearch = (text: string) => void setInUrl({ search: text || null, page: null })
  const onOwner = (owner: string) => void setInUrl({ search: owner, page: null }, { history: 'push' })
  const { cursor, neighbors } = usePages(search)
  const input = { ...(search ? { search } : {}), ...(cursor ? { cursor } : {}) }
  const query = useQuery({ ...tenantsQuery(trpc, input), placeholderData: keepPreviousData })
  const { tenants, cursor: next } = query.data ?? {}
  const zone = useColumnZone(tenants?.flatMap(({ lastUsedAt }) => lastUsedAt ?? []) ?? [])
  return (
    <>
      <ScreenHead title="Tenants">
        <search>
          <SearchBox
            what="tenants"
            applied={search}
            onSearch={onSearch}
            aria-label="Search tenants by name, owner or ID"
            placeholder="Name, owner or tenant ID"
            maxLength={200}
            boxClass="w-72 max-w-full"
            className="h-9 max-md:h-10"
          />
        </search>
      </ScreenHead>
      <p className="-mt-3 mb-5 text-sm text-soft">A tenant is an API key with its settings.</p>
      {query.error ? (
        <Problem error={query.error} retry={query.refetch} />
      ) : tenants?.length === 0 ? (
        <div className="panel">
          {search ? (
            <Empty title="No tenant matches" action={<Button onClick={() => onSearch('')}>Clear search</Button>}>
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
            columns={tenantColumns(zone, onOwner)}
            rows={tenants}
            keyOf={({ id }) => id}
            gap="narrow"
            className="table-fixed [&_th]:align-bottom"
            rowClass={HEIGHT}
            cardClass="grid gap-2.5 px-4 py-3"
            card={(tenant) => <TenantCard tenant={tenant} onOwner={onOwner} />}
            loading={{ count: 8, row: cx(HEIGHT, 'border-b last:border-b-0'), card: LOADING_CARD }}
          />
        </div>
      )}
      <Pager {...neighbors(next)} />
    </>
  )
}
