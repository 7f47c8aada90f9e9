import { nameIn } from '@/server/http/openapi/json-schema'
import type { OpenApiResponse } from '@/server/http/openapi/responses'
import { Prose } from './prose'
import { schemaUrl } from './schema-url'

type Props = { answers: readonly { status: string; answer: OpenApiResponse }[]; headers: readonly string[] }

/** The statuses of an operation with their meaning and body, and the headers that only this operation sends. */
export function Responses({ answers, headers }: Props) {
  const names = answers.map(({ answer }) => bodyOf(answer))
  // Most errors have the same body: said once, below them.
  const common = names.find((name, at) => name !== null && names.indexOf(name) !== at) ?? null
  return (
    <div className="operation-part">
      <h3>Responses</h3>
      <dl className="answers">
        {answers.map(({ status, answer }) => {
          const name = bodyOf(answer)
          return (
            <div key={status}>
              <dt>
                <code className={`status s${status[0]}`}>{status}</code>
              </dt>
              <dd>
                <Prose text={answer.description} />{' '}
                {name === null || name === common ? null : (
                  <span className="answer-body">
                    <SchemaLink name={name} />
                  </span>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
      {common === null ? null : (
        <p className="small header-list">
          <span className="muted">Body of errors:</span>
          <SchemaLink name={common} />
        </p>
      )}
      {headers.length === 0 ? null : (
        <p className="small header-list">
          <span className="muted">Response headers:</span>
          {headers.map((name) => (
            <a className="header-link" key={name} href={`/docs/headers#header-${name}`}>
              <code>{name}</code>
            </a>
          ))}
        </p>
      )}
    </div>
  )
}

const bodyOf = ({ content }: OpenApiResponse): string | null => nameIn(content?.['application/json']?.schema ?? {}) ?? null

/** A link to an object of the API. */
export function SchemaLink({ name }: { name: string }) {
  return <a href={schemaUrl(name)}>{name}</a>
}
