import { anchorOf, type ErrorCatalogEntry, errorCatalog, type Place } from '@/server/http/error-catalog'
import { Prose } from './prose'
import { ReasonFilter } from './reason-filter'

const PLACES = {
  judged: 'verify or settle result',
  refused: 'HTTP error',
  history: 'history',
} as const satisfies Record<Place, string>

/** Every reason code with its cause and remedy. */
export function Reasons() {
  return (
    <ReasonFilter count={errorCatalog.length}>
      {errorCatalog.map((entry) => (
        <Reason entry={entry} key={entry.code} />
      ))}
    </ReasonFilter>
  )
}

function Reason({ entry: { code, cause, remedy, places, statuses } }: { entry: ErrorCatalogEntry }) {
  return (
    <article className="reason" id={anchorOf(code)} data-words={`${code} ${cause} ${remedy} ${statuses.join(' ')}`.toLowerCase()}>
      <h3>
        <a className="reason-code" href={`#${anchorOf(code)}`}>
          <code>{code}</code>
        </a>
        {statuses.map((status) => (
          <span className="tag" key={status}>
            {status}
          </span>
        ))}
        <span className="muted small">{places.map((place) => PLACES[place]).join(', ')}</span>
      </h3>
      <p>
        <Prose text={cause} />
      </p>
      <p className="remedy">
        <strong>Fix:</strong> <Prose text={remedy} />
      </p>
    </article>
  )
}
