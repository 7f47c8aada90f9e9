import type { Metadata } from 'next'
import { periodInput } from '@/components/client/analytics/period-input'
import { Prefetched } from '@/components/client/prefetched'
import { figuresQuery, moneyQuery } from '@/components/screens/console/queries'
import { TenantScreen } from '@/components/screens/console/tenant'
import { changesQuery, lastPaymentsQuery, tenantQuery } from '@/components/screens/console/tenant-queries'

export const metadata: Metadata = { title: 'Tenant' }

export default async function TenantPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  return (
    <Prefetched
      first={(trpc) => [changesQuery(trpc, id)]}
      inView={(trpc, { zone, environment }) => {
        const input = { ...periodInput({ zone, within: environment }), tenant: id }
        return [
          tenantQuery(trpc, id, environment),
          figuresQuery(trpc, input),
          moneyQuery(trpc, input),
          lastPaymentsQuery(trpc, id, environment),
        ]
      }}
    >
      <TenantScreen id={id} />
    </Prefetched>
  )
}
