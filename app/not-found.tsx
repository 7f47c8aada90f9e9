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
        <h1>Nothing here.</h1>
        <p className="lead">
          This page does not exist. Programs that call the API find its addresses on the <a href="/home#urls">front page</a>.
        </p>
      </main>
    </div>
  )
}
