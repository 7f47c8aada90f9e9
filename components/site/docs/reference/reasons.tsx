import { anchorOf, type ErrorCatalogEntry, errorCatalog, type Place } from '@/server/http/documented-codes'
import { OpenTarget } from './open-target'
import { Prose } from './prose'
import { ReasonFilter } from './reason-filter'
import { type ReasonGroup, reasonSections } from './reason-groups'

const PLACES = {
  judged: 'verify or settle result',
  refused: 'HTTP error',
  history: 'history',
} as const satisfies Record<Place, string>

/** Every reason code with its cause and remedy, by kind of cause. A link to one opens its group. */
export function Reasons() {
  return (
    <>
      <ReasonFilter count={errorCatalog.length}>
        {reasonSections.map((group) => (
          <Group group={group} key={group.id} />
        ))}
      </ReasonFilter>
      <OpenTarget />
    </>
  )
}

function Group({ group: { id, title, about, codes } }: { group: ReasonGroup }) {
  return (
    <details className="reason-group" id={id}>
      <summary>
        <h3>{title}</h3>
        <span className="reason-count">{codes.length} reasons</span>
        <span className="reason-about">{about}</span>
      </summary>
      {codes.map((code) => (
        <Reason entry={entryOf(code)} key={code} />
      ))}
    </details>
  )
}

function entryOf(code: string): ErrorCatalogEntry {
  const entry = errorCatalog.find((one) => one.code === code)
  if (!entry) throw new Error(`there is no reason ${code}`)
  return entry
}

function Reason({ entry: { code, cause, remedy, places, statuses } }: { entry: ErrorCatalogEntry }) {
  return (
    <article className="reason" id={anchorOf(code)} data-words={`${code} ${cause} ${remedy} ${statuses.join(' ')}`.toLowerCase()}>
      <h4>
        <a className="reason-code" href={`#${anchorOf(code)}`}>
          <code>{code}</code>
        </a>
        {statuses.map((status) => (
          <span className="tag" key={status}>
            {status}
          </span>
        ))}
        <span className="muted small">{places.map((place) => PLACES[place]).join(', ')}</span>
      </h4>
      <dl>
        <dt>Meaning</dt>
        <dd>
          <Prose text={cause} />
        </dd>
        <dt>What to do</dt>
        <dd>
          <Prose text={remedy} />
        </dd>
      </dl>
    </article>
  )
}
