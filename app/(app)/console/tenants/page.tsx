import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Tenants } from '@/components/console/tenants'

export const metadata: Metadata = { title: 'Tenants' }

export default function TenantsPage() {
  return (
    <Suspense>
      <Tenants />
    </Suspense>
  )
}
