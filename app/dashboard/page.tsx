import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Brand } from '@/components/brand'
import { Settlements } from '@/components/settlements/settlements'
import './dashboard.css'

export const metadata: Metadata = { title: 'Settlements' }

export default function DashboardPage() {
  return (
    <div className="page">
      <div className="bar">
        <Brand />
        <nav aria-label="Pages">
          <a className="quiet" href="/home">
            Home
          </a>
          <a className="quiet" href="/docs">
            Docs
          </a>
        </nav>
      </div>
      <main>
        <Suspense>
          <Settlements />
        </Suspense>
      </main>
    </div>
  )
}
