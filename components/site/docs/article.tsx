import type { ReactNode } from 'react'
import { neighboursOf } from './contents'
import { OnThisPage } from './on-this-page'
import type { DocsGroup, DocsPage, Section } from './pages'

/** `wide` uses the room of the list of sections; the menu has the list then. */
type Props = { page: DocsPage; groups: readonly DocsGroup[]; layout?: 'text' | 'wide'; children: ReactNode }

/** A page of the documentation: title, text, its sections, and the pages before and after it. */
export function Article({ page, groups, layout = 'text', children }: Props) {
  const group = groups.find(({ pages }) => pages.some(({ path }) => path === page.path))
  const { before, after } = neighboursOf(groups, page.path)
  return (
    <>
      <main className={`docs-text ${layout}`} id="text">
        <header className="docs-head">
          {group ? <p className="docs-group">{group.title}</p> : null}
          <h1>{page.title}</h1>
          <p className="lead">{page.description}</p>
        </header>
        {page.sections.length > 1 ? <NarrowContents sections={page.sections} /> : null}
        {children}
        {/* The first page has a button for the next one at its top. */}
        {before ? (
          <nav className="docs-steps" aria-label="Previous and next page">
            <Step rel="prev" label="Previous" page={before} />
            {after ? <Step rel="next" label="Next" page={after} /> : null}
          </nav>
        ) : null}
      </main>
      {layout === 'text' ? (
        <aside className="docs-contents">{page.sections.length > 1 ? <OnThisPage sections={page.sections} /> : null}</aside>
      ) : null}
    </>
  )
}

function NarrowContents({ sections }: { sections: readonly Section[] }) {
  return (
    <details className="narrow-contents">
      <summary>On this page</summary>
      <ul>
        {sections.map(({ id, title, isInner }) => (
          <li key={id}>
            <a href={`#${id}`} className={isInner ? 'inner' : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Step({ rel, label, page }: { rel: 'prev' | 'next'; label: string; page: DocsPage }) {
  return (
    <a className={`docs-step ${rel}`} rel={rel} href={page.path}>
      <span className="muted small">
        {rel === 'prev' ? <span aria-hidden>← </span> : null}
        {label}
        {rel === 'next' ? <span aria-hidden> →</span> : null}
      </span>
      <strong>{page.title}</strong>
    </a>
  )
}
