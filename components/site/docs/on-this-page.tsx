'use client'

import { useEffect, useState } from 'react'
import type { Section } from './pages'

// A section is current while it is just below the bar: links scroll it to there.
const BAND = '-90px 0px -80% 0px'

/** The sections of a page; the one in view is marked. */
export function OnThisPage({ sections }: { sections: readonly Section[] }) {
  return (
    <nav aria-label="On this page">
      <p className="docs-label">On this page</p>
      <SectionLinks sections={sections} />
    </nav>
  )
}

/** Links to the sections of a page; the one in view is marked. */
export function SectionLinks({ sections }: { sections: readonly Section[] }) {
  const current = useSectionInView(sections)
  return (
    <ul className="section-links">
      {sections.map(({ id, title, isInner }) => (
        <li key={id}>
          <a href={`#${id}`} className={isInner ? 'inner' : undefined} aria-current={id === current ? 'location' : undefined}>
            {title}
          </a>
        </li>
      ))}
    </ul>
  )
}

function useSectionInView(sections: readonly Section[]): string | null {
  const [current, setCurrent] = useState<string | null>(null)
  useEffect(() => {
    const seen = new Set<string>()
    const watcher = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes) {
          if (isIntersecting) seen.add(target.id)
          else seen.delete(target.id)
        }
        const inView = sections.filter(({ id }) => seen.has(id))
        const first = inView.find(({ isInner }) => isInner) ?? inView[0]
        if (first) setCurrent(first.id)
      },
      { rootMargin: BAND },
    )
    for (const { id } of sections) {
      const section = document.getElementById(id)
      if (section) watcher.observe(section)
    }
    return () => watcher.disconnect()
  }, [sections])
  return current
}
