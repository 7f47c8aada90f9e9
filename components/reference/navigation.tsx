import type { Chapter } from './chapters'

/** A section that is not a chapter of operations. */
export type Part = { anchor: string; title: string }

type Props = { before: readonly Part[]; chapters: readonly Chapter[]; after: readonly Part[] }

/** The table of contents: beside the page, or collapsed above it on narrow screens. */
export function Navigation(props: Props) {
  return (
    <>
      <nav className="contents wide" aria-label="On this page">
        <Contents {...props} />
      </nav>
      <details className="contents narrow">
        <summary>On this page</summary>
        <nav aria-label="On this page">
          <Contents {...props} />
        </nav>
      </details>
    </>
  )
}

function Contents({ before, chapters, after }: Props) {
  return (
    <ul>
      {before.map((part) => (
        <Item key={part.anchor} {...part} />
      ))}
      {chapters.map(({ tag, anchor, entries }) => (
        <li key={anchor}>
          <a href={`#${anchor}`}>{tag}</a>
          <ul>
            {entries.map(({ id, title }) => (
              <Item key={id} anchor={id} title={title} />
            ))}
          </ul>
        </li>
      ))}
      {after.map((part) => (
        <Item key={part.anchor} {...part} />
      ))}
    </ul>
  )
}

function Item({ anchor, title }: Part) {
  return (
    <li>
      <a href={`#${anchor}`}>{title}</a>
    </li>
  )
}
