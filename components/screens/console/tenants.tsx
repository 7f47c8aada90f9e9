'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { parseAsString, useQueryState } from 'nuqs'
import { useRef, useState } from 'react'
import { Problem } from '../../client/problem'
import { ScreenHead } from '../../client/screen-head'
import { useColumnZone } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { usePages } from '../../client/use-pages'
import { Button } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { useCommands } from '../../ui/commands'
import { Hint } from '../../ui/hint'
import { Pager } from '../../ui/pager'
import { Empty, Skeleton } from '../../ui/panel'
import { useEarlyText } from '../../ui/use-early-text'
import { tenantsQuery } from './queries'
import { TenantCard, TenantRow } from './tenant-row'

type Column = { title: string; width: string; hint?: string; right?: boolean }

const LAST_USED = 'Last used'
// Fixed widths, so that the table fits next to the navigation.
const COLUMNS: readonly Column[] = [
  { title: 'Owner', width: 'w-[14%] xl:w-[15%]', hint: 'A subject of the identity provider, or a wallet' },
  { title: 'Key', width: 'w-[16%] xl:w-[18%]' },
  { title: 'Plan', width: 'w-[9%] xl:w-[7%]' },
  {
    title: 'This month',
    width: 'w-[13%]',
    hint: 'Settlements of the monthly quota, shared by keys of one owner and plan; or credits',
  },
  {
    title: 'Settled, 30\u00a0days',
    width: 'w-[13%] xl:w-[12%]',
    hint: 'Successful settlements in 30 UTC days; of today at most 1,000 are counted',
    right: true,
  },
  { title: LAST_USED, width: 'w-[19%] xl:w-[14%]' },
  { title: 'Created', width: 'w-[9%] max-xl:hidden' },
  { title: 'State', width: 'w-[10%] xl:w-[8%]' },
]
const LINES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** All tenants, newest first. */
export function Tenants() {
  const trpc = useTRPC()
  const [search, setSearch] = useQueryState('search', parseAsString.withDefault('').withOptions({ history: 'push' }))
  const { cursor, neighbors } = usePages(search)
  const input = { ...(search ? { search } : {}), ...(cursor ? { cursor } : {}) }
  const query = useQuery({ ...tenantsQuery(trpc, input), placeholderData: keepPreviousData })
  const { tenants, cursor: next } = query.data ?? {}
  const zone = useColumnZone(tenants?.flatMap(({ lastUsedAt }) => lastUsedAt ?? []) ?? [])
  return (
    <>
      <ScreenHead title="Tenants">
        <SearchBox key={search} initial={search} onSearch={setSearch} />
      </ScreenHead>
      <p className="-mt-3 mb-5 text-sm text-soft">A tenant is an API key with its settings.</p>
      {query.error ? (
        <Problem error={query.error} retry={query.refetch} />
      ) : tenants?.length === 0 ? (
        <div className="panel">
          {search ? (
            <Empty title="No tenant matches" action={<Button onClick={() => setSearch(null)}>Clear search</Button>}>
              Search for a part of a key’s name, or for a whole owner or tenant ID.
            </Empty>
          ) : (
            <Empty title="No tenants yet">
              Tenants come from a merchant’s key, an agent’s first credits, or POST /admin/tenants.
            </Empty>
          )}
        </div>
      ) : (
        <div className={cx('panel', query.isPlaceholderData && 'opacity-60')} aria-busy={query.isPlaceholderData}>
          <table className="table-fixed max-md:hidden">
            <thead>
              <tr className="border-b text-sm text-soft">
                {COLUMNS.map(({ title, width, hint, right }) => (
                  <th
                    key={title}
                    scope="col"
                    className={cx('px-2 py-2.5 align-bottom font-medium first:pl-4', width, right && 'text-right xl:pr-6')}
                  >
                    {hint ? <Hint text={hint}>{title}</Hint> : title === LAST_USED ? `${title} (${zone})` : title}
                  </th>
                ))}
                <th scope="col">
                  <span className="sr-only">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {tenants
                ? tenants.map((tenant) => <TenantRow key={tenant.id} tenant={tenant} onOwner={setSearch} />)
                : LINES.map((line) => (
                    <tr key={line} className="h-13 border-b last:border-b-0">
                      <td colSpan={COLUMNS.length + 1} className="px-4">
                        <Skeleton />
                      </td>
                    </tr>
                  ))}
            </tbody>
          </table>
          <ul className="md:hidden">
            {tenants
              ? tenants.map((tenant) => <TenantCard key={tenant.id} tenant={tenant} onOwner={setSearch} />)
              : LINES.map((line) => (
                  <li key={line} className="h-[10.25rem] border-b px-4 py-5 last:border-b-0">
                    <Skeleton />
                  </li>
                ))}
          </ul>
        </div>
      )}
      <Pager {...neighbors(next)} />
    </>
  )
}

/** Searches on Enter or blur. `/` focuses it. */
function SearchBox({ initial, onSearch }: { initial: string; onSearch: (text: string | null) => unknown }) {
  const box = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(initial)
  useEarlyText(box, setText)
  useCommands([{ title: 'Search tenants', key: '/', icon: Search, run: () => box.current?.focus() }])
  const enter = () => (text.trim() === initial ? undefined : onSearch(text.trim() || null))
  return (
    <search>
      <form
        className="relative w-64 max-w-full"
        onSubmit={(event) => {
          event.preventDefault()
          enter()
        }}
      >
        <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-soft" />
        <input
          ref={box}
          type="search"
          value={text}
          onChange={({ target }) => setText(target.value)}
          onBlur={enter}
          aria-label="Search tenants by name, owner or ID"
          placeholder="Name, owner or tenant ID"
          maxLength={200}
          className="h-9 w-full rounded-lg border bg-card pr-3 pl-9 max-md:h-10"
        />
      </form>
    </search>
  )
}
