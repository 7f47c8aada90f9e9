'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { parseAsString, useQueryState } from 'nuqs'
import { useTRPC } from '../data/trpc'
import { usePages } from '../data/use-pages'
import { Pager } from '../settlements/list'
import { OwnerBox } from '../settlements/owner-and-tenant'
import { ScreenHead } from '../shell/shell'
import { Empty, Problem, Skeleton } from '../ui/panel'
import { TableHead } from '../ui/table-head'
import { useColumnZone } from '../ui/time'
import { TenantCard, TenantRow } from './tenant-row'

const LINES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** All tenants, newest first. */
export function Tenants() {
  const trpc = useTRPC()
  const [owner, setOwner] = useQueryState('owner', parseAsString.withOptions({ history: 'push' }))
  const { cursor, neighbors } = usePages(owner ?? '')
  const input = { ...(owner ? { owner } : {}), ...(cursor ? { cursor } : {}) }
  const query = useQuery(trpc.admin.tenants.queryOptions(input, { placeholderData: keepPreviousData }))
  const { tenants, cursor: next } = query.data ?? {}
  const zone = useColumnZone(tenants?.flatMap(({ createdAt, lastUsedAt }) => [createdAt, lastUsedAt ?? createdAt]) ?? [])
  const columns = ['Owner', 'Name', 'Plan', `Created (${zone})`, `Last used (${zone})`, 'State']
  return (
    <>
      <ScreenHead title="Tenants">
        <OwnerBox owner={owner ?? undefined} onChange={setOwner} main />
      </ScreenHead>
      {query.error ? (
        <Problem error={query.error} retry={query.refetch} />
      ) : tenants?.length === 0 ? (
        <div className="rounded-xl border border-solid border-line bg-card">
          <Empty title={owner ? 'This owner has no tenants' : 'No tenants yet'}>
            Tenants come from a merchant’s key, an agent’s first credits, or POST /admin/tenants.
          </Empty>
        </div>
      ) : (
        <div className="relative overflow-x-auto rounded-xl border border-solid border-line bg-card">
          <table className="min-w-[52rem] max-md:hidden">
            <TableHead titles={columns}>
              <th scope="col" className="pr-4">
                <span className="sr-only">Actions</span>
              </th>
            </TableHead>
            <tbody>
              {tenants
                ? tenants.map((tenant) => <TenantRow key={tenant.id} tenant={tenant} onOwner={setOwner} />)
                : LINES.map((line) => (
                    <tr key={line} className="h-13 border-0 border-b border-solid border-line last:border-b-0">
                      <td colSpan={columns.length + 1} className="px-4">
                        <Skeleton />
                      </td>
                    </tr>
                  ))}
            </tbody>
          </table>
          <ul className="md:hidden">
            {tenants
              ? tenants.map((tenant) => <TenantCard key={tenant.id} tenant={tenant} onOwner={setOwner} />)
              : LINES.map((line) => (
                  <li key={line} className="h-[10.3rem] border-0 border-b border-solid border-line px-4 py-5 last:border-b-0">
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
