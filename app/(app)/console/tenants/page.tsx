import type { Metadata } from 'next'
import { Prefetched } from '@/components/client/prefetched'
import { Tenants } from '@/components/screens/console/tenants'

export const metadata: Metadata = { title: 'Tenants' }

export default function TenantsPage() {
  return (
    <Prefetched begin={(trpc, queries) => [queries.prefetchQuery(trpc.admin.tenants.queryOptions({}))]}>
      <Tenants />
    </Prefetched>
  )
}
