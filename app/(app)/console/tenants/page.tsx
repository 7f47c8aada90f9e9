import type { Metadata } from 'next'
import { Tenants } from '@/components/console/tenants'
import { Prefetched } from '@/components/data/prefetched'

export const metadata: Metadata = { title: 'Tenants' }

export default function TenantsPage() {
  return (
    <Prefetched begin={(trpc, queries) => [queries.prefetchQuery(trpc.admin.tenants.queryOptions({}))]}>
      <Tenants />
    </Prefetched>
  )
}
