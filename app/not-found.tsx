import type { Metadata } from 'next'
import { Brand } from '@/components/brand'

export const metadata: Metadata = { title: 'Not found' }

export default function NotFound() {
  return (
    <div className="page">
      <div className="bar">
        <Brand />
      </div>
      <main className="empty">
        <h1>Page not found</h1>
        <p className="lead">
          This page does not exist. The <a href="/home#urls">home page</a> lists the URLs of the API.
        </p>
      </main>
    </div>
  )
}
