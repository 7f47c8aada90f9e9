import type { Metadata } from 'next'
import { Prefetched } from '@/components/client/prefetched'
import { tenantsQuery } from '@/components/screens/console/queries'
import { Tenants } from '@/components/screens/console/tenants'

export const metadata: Metadata = { title: 'Tenants' }

export default function TenantsPage() {
  return (
    <Prefetched first={(trpc) => [tenantsQuery(trpc)]}>
      <Tenants />
    </Prefetched>
  )
}
