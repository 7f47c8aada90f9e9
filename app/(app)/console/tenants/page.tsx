import type { Metadata } from 'next'
import { Prefetched } from '@/components/client/prefetched'
import { tenantSumsQuery, tenantsQuery } from '@/components/screens/console/tenant-queries'
import { Tenants } from '@/components/screens/console/tenants'

export const metadata: Metadata = { title: 'Tenants' }

export default function TenantsPage() {
  return (
    <Prefetched
      inView={(trpc, { environment }) => [
        tenantsQuery(trpc, { within: environment }),
        tenantSumsQuery(trpc, { within: environment }),
      ]}
    >
      <Tenants />
    </Prefetched>
  )
}
