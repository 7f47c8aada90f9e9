import type { Metadata } from 'next'
import { MissingPath, MissingSearch } from '@/components/site/docs/missing-page'
import { Footer } from '@/components/site/frame/footer'
import { PublicBar } from '@/components/site/frame/public-bar'
import { visitor } from '@/components/site/frame/visitor'

export const metadata: Metadata = { title: 'Not found', robots: { index: false } }

const LINKS = [
  ['/home', 'Home', 'What Quittance does'],
  ['/docs', 'Documentation', 'Guides, routes and error codes'],
  ['/catalog', 'Catalog', 'Paid APIs that you can call'],
] as const

export default async function NotFound() {
  const account = await visitor()
  const own = account
    ? ([account.href, 'Dashboard', `Signed in as ${account.name}`] as const)
    : (['/dashboard', 'Dashboard', 'Your keys and settlements'] as const)
  return (
    <>
      <PublicBar />
      <div className="page">
        <main className="empty missing" id="text">
          <p className="missing-code" aria-hidden>
            404
          </p>
          <h1>Page not found</h1>
          <MissingPath />
          <MissingSearch />
          <ul>
            {[...LINKS, own].map(([href, name, about]) => (
              <li key={href}>
                <a href={href}>
                  <strong>{name}</strong>
                  <span>{about}</span>
                </a>
              </li>
            ))}
          </ul>
        </main>
        <Footer />
      </div>
    </>
  )
}
