'use client'

import { cx } from '../../ui/class-names'
import { CHOICE, CHOICES } from '../frame/empty-page'
import { type NamedPage, nearestPages } from './nearest'
import { usePath } from './use-path'

const SHOWN = 3

const START: NamedPage = { path: '/docs', title: 'Documentation', description: 'Guides, routes and error codes.' }
const FIRST = ['/docs/quickstart', '/docs/api', '/docs/errors'] as const

/** The pages that are most like the missing one; where to start until its path is known, or if none is like it. */
export function NearestPages({ pages }: { pages: readonly NamedPage[] }) {
  const path = usePath()
  const nearest = path === null ? [] : nearestPages(pages, path, SHOWN)
  const shown =
    nearest.length > 0 ? nearest : [START, ...FIRST.flatMap((first) => pages.find(({ path: one }) => one === first) ?? [])]
  return (
    <section aria-labelledby="nearest" className="grid w-full pt-2">
      <h2 id="nearest" className="text-[1.1rem]">
        {nearest.length > 0 ? 'Did you mean' : 'Start here'}
      </h2>
      <ul className={CHOICES}>
        {shown.map((page) => (
          <li key={page.path} className="grid">
            <a href={page.path} className={cx(CHOICE, 'h-full')}>
              <strong className="text-[1rem] leading-[1.3] font-[650] text-ink">{page.title}</strong>
              <span className="leading-[1.5]">{page.description}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
