import { anchorOf, type ErrorCatalogEntry, errorCatalog, type Place } from '@/server/http/error-catalog'
import { Prose } from './prose'
import { ReasonFilter } from './reason-filter'

const PLACES = {
  judged: 'in verify and settle',
  refused: 'in errors',
  history: 'in history',
} as const satisfies Record<Place, string>

/** Every reason code with its cause and remedy. */
export function Reasons() {
  return (
    <ReasonFilter count={errorCatalog.length}>
      {errorCatalog.map((entry) => (
        <Reason entry={entry} key={entry.word} />
      ))}
    </ReasonFilter>
  )
}

function Reason({ entry: { word, cause, remedy, places, statuses } }: { entry: ErrorCatalogEntry }) {
  return (
    <article className="reason" id={anchorOf(word)} data-words={`${word} ${cause} ${remedy} ${statuses.join(' ')}`.toLowerCase()}>
      <h4>
        <a className="word" href={`#${anchorOf(word)}`}>
          <code>{word}</code>
        </a>
        {statuses.map((status) => (
          <span className="tag" key={status}>
            {status}
          </span>
        ))}
        <span className="muted small">{places.map((place) => PLACES[place]).join(', ')}</span>
      </h4>
      <p>
        <Prose text={cause} />
      </p>
      <p className="remedy">
        <Prose text={remedy} />
      </p>
    </article>
  )
}
