'use client'

import { cx } from '../../ui/class-names'
import { CHOICE, CHOICES } from '../frame/empty-page'
import { type NamedPage, nearestPages } from './nearest'
import { usePath } from './use-path'

const SHOWN = 3

/** The pages that are most like the missing one; the first pages of the menu until its path is known, or if none is like it. */
export function NearestPages({ pages }: { pages: readonly NamedPage[] }) {
  const path = usePath()
  const nearest = path === null ? [] : nearestPages(pages, path, SHOWN)
  return (
    <>
      <h2 className="mb-[0.7rem] text-[1.1rem]">{nearest.length > 0 ? 'Did you mean' : 'Start here'}</h2>
      <ul className={cx(CHOICES, 'pb-[1.4rem]')}>
        {(nearest.length > 0 ? nearest : pages.slice(0, SHOWN)).map((page) => (
          <li key={page.path} className="grid">
            <a href={page.path} className={cx(CHOICE, 'h-full')}>
              <strong className="text-[1rem] leading-[1.3] font-[650] text-ink">{page.title}</strong>
              <span className="leading-[1.5]">{page.description}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
