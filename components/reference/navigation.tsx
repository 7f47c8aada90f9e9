import type { Chapter } from './chapters'

/** A part of the page that is no chapter of operations. */
export type Part = { anchor: string; title: string }

type Props = { before: readonly Part[]; chapters: readonly Chapter[]; after: readonly Part[] }

/** What is on the page: beside it where there is room, folded away above it where there is none. */
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
