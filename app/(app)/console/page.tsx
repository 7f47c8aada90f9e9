import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Platform } from '@/components/console/platform'

export const metadata: Metadata = { title: 'Platform' }

export default function PlatformPage() {
  return (
    <Suspense>
      <Platform />
    </Suspense>
  )
}
