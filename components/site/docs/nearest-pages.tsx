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
      <h2 className="nearest-title">{nearest.length > 0 ? 'Did you mean' : 'Start here'}</h2>
      <ul className={cx('docs-tasks', CHOICES)}>
        {(nearest.length > 0 ? nearest : pages.slice(0, SHOWN)).map((page) => (
          <li key={page.path}>
            <a href={page.path} className={CHOICE}>
              <strong>{page.title}</strong>
              <span>{page.description}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
