import type { Metadata } from 'next'
import { Prefetched } from '@/components/client/prefetched'
import { Incidents } from '@/components/screens/console/incidents'
import { daysQuery, incidentsQuery } from '@/components/screens/console/queries'

export const metadata: Metadata = { title: 'Incidents' }

export default function IncidentsPage() {
  return (
    <Prefetched first={(trpc) => [incidentsQuery(trpc), daysQuery(trpc)]}>
      <Incidents />
    </Prefetched>
  )
}
