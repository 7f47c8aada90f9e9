import { nameIn } from '@/server/http/openapi/json-schema'
import type { OpenApiResponse } from '@/server/http/openapi/responses'
import { Prose } from './prose'
import { schemaUrl } from './schema-url'

type Props = { answers: readonly { status: string; answer: OpenApiResponse }[]; headers: readonly string[] }

/** The statuses of an operation with their meaning and body, and the headers that only this operation sends. */
export function Responses({ answers, headers }: Props) {
  return (
    <div className="operation-part">
      <h3>Responses</h3>
      <dl className="answers">
        {answers.map(({ status, answer: { description, content } }) => {
          const name = nameIn(content?.['application/json']?.schema ?? {})
          return (
            <div key={status}>
              <dt>
                <code className={`status s${status[0]}`}>{status}</code>
              </dt>
              <dd>
                <Prose text={description} />{' '}
                {name === undefined ? null : (
                  <span className="answer-body">
                    <SchemaLink name={name} />
                  </span>
                )}
              </dd>
            </div>
          )
        })}
      </dl>
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

/** A link to an object of the API. */
export function SchemaLink({ name }: { name: string }) {
  return <a href={schemaUrl(name)}>{name}</a>
}
