import type { Metadata } from 'next'
import { MissingHead } from '@/components/site/docs/missing-head'
import { MissingSearch } from '@/components/site/docs/missing-page'
import { CHOICE, CHOICES, EMPTY_PAGE } from '@/components/site/frame/empty-page'
import { PublicPage } from '@/components/site/frame/public-page'
import { visitor } from '@/components/site/frame/visitor'
import { cx } from '@/components/ui/class-names'

export const metadata: Metadata = { title: 'Not found', robots: { index: false } }

const LINKS = [
  ['/home', 'Home', 'What Quittance does.'],
  ['/docs', 'Documentation', 'Guides, routes and error codes.'],
  ['/catalog', 'Catalog', 'Paid APIs that you can call.'],
] as const

export default async function NotFound() {
  const account = await visitor()
  const own = account
    ? ([account.href, 'Dashboard', `Signed in as ${account.name}.`] as const)
    : (['/dashboard', 'Dashboard', 'Your keys and settlements.'] as const)
  return (
    <PublicPage mainClassName={EMPTY_PAGE}>
      <MissingHead>
        <MissingSearch />
        <ul className={cx(CHOICES, 'max-lg:grid-cols-2')}>
          {[...LINKS, own].map(([href, name, about]) => (
            <li key={href} className="grid">
              <a href={href} className={CHOICE}>
                <strong>{name}</strong>
                <span>{about}</span>
              </a>
            </li>
          ))}
        </ul>
      </MissingHead>
    </PublicPage>
  )
}
