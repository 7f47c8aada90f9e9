import type { Metadata } from 'next'
import { Footer } from '@/components/footer'
import { PublicBar } from '@/components/public-bar'

export const metadata: Metadata = { title: 'Not found', robots: { index: false } }

const LINKS = [
  ['/docs', 'Documentation', 'Guides, routes and error codes'],
  ['/catalog', 'Catalog', 'Paid APIs that you can call'],
  ['/dashboard', 'Dashboard', 'Your keys and settlements'],
  ['/home#try', 'Home', 'Try a payment, or compare the plans'],
] as const

export default function NotFound() {
  return (
    <div className="page">
      <PublicBar />
      <main className="empty" id="text">
        <h1>Page not found</h1>
        <p className="lead">
          There is no page at this address. Check it for typos, or start from one of these pages. The routes of the API are in the{' '}
          <a href="/docs/api">reference</a>.
        </p>
        <ul>
          {LINKS.map(([href, name, about]) => (
            <li key={href}>
              <a href={href}>{name}</a> <span className="muted">{about}</span>
            </li>
          ))}
        </ul>
      </main>
      <Footer />
    </div>
  )
}
