'use client'

import { useEffect, useState } from 'react'
import { cx } from '../../ui/class-names'
import type { Section } from './pages'

// A section is current while it is just below the bar: links scroll it to there.
const BAND = '-90px 0px -80% 0px'

/** The sections of a page; the one in view is marked. */
export function OnThisPage({ sections }: { sections: readonly Section[] }) {
  return (
    <nav aria-label="On this page">
      <p className="pr-[0.7rem] pb-[0.4rem] text-[0.85rem] font-[650]">On this page</p>
      <SectionLinks sections={sections} />
    </nav>
  )
}

/** Links to the sections of a page; the one in view is marked. */
export function SectionLinks({ sections, className }: { sections: readonly Section[]; className?: string }) {
  const current = useSectionInView(sections)
  return (
    <ul className={className}>
      {sections.map(({ id, title, isInner }) => (
        <li key={id}>
          <a
            href={`#${id}`}
            className={cx(
              'block border-l-2 py-[0.28rem] pr-[0.7rem] text-[0.88rem] leading-[1.35] wrap-anywhere text-soft no-underline hover:text-ink aria-[current]:border-accent aria-[current]:font-semibold aria-[current]:text-accent',
              isInner ? 'pl-6' : 'pl-[0.7rem]',
            )}
            aria-current={id === current ? 'location' : undefined}
          >
            {title}
          </a>
        </li>
      ))}
    </ul>
  )
}

function useSectionInView(sections: readonly Section[]): string | undefined {
  const [current, setCurrent] = useState(sections[0]?.id)
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
