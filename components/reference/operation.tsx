import { credentials } from '@/server/http/openapi/credentials'
import type { OpenApiDocument } from '@/server/http/openapi/document'
import { choicesIn, nameIn } from '@/server/http/openapi/json-schema'
import type { OpenApiResponse } from '@/server/http/openapi/responses'
import type { Entry } from './chapters'
import { FieldTable } from './field-table'
import { type Field, typeOf } from './fields'
import { Prose } from './prose'

type Parts = OpenApiDocument['components']

/** An operation: paths, credentials, request and responses. */
export function OperationSection({ entry, parts }: { entry: Entry; parts: Parts }) {
  const { spec, operation, paths, method, path: address } = entry
  const body = spec.requestBody?.content['application/json']?.schema
  const answers = Object.entries(spec.responses).map(([status, said]) => ({ status, answer: responseIn(said, parts) }))
  const good = answers.find(({ status }) => status < '300') ?? answers[0]
  const shown = good?.answer.content?.['application/json']?.schema
  return (
    <section className="operation" id={entry.id}>
      <h3>{entry.title}</h3>
      <p className="address">
        <span className={`method ${method.toLowerCase()}`}>{method}</span> <code>{address}</code>
      </p>
      <p>
        <Prose text={spec.description} />
      </p>
      {paths.length > 1 ? (
        <p className="muted small">
          At{' '}
          {paths.map((path, at) => (
            <span key={path}>
              {at > 0 ? ', ' : ''}
              <code>{path}</code>
            </span>
          ))}
        </p>
      ) : null}
      <p className="muted small">
        <Credentials operation={operation} isMany={paths.length > 1} />
      </p>
      <FieldTable caption="Parameters" fields={spec.parameters.map((one) => parameterRow(one, parts))} />
      {body ? (
        <div className="pair">
          <p className="small">
            Body: <SchemaLink name={nameIn(body)} />
            {spec.requestBody?.required ? null : <span className="muted">, optional</span>}
          </p>
          <Example title="Example body" names={formsIn(body, parts)} parts={parts} />
        </div>
      ) : null}
      <Answers answers={answers} />
      {shown ? <Example title="Example response" names={formsIn(shown, parts)} parts={parts} /> : null}
    </section>
  )
}

function Credentials({ operation, isMany }: { operation: Entry['operation']; isMany: boolean }) {
  if (operation.credentials.length === 0) return 'No credentials needed.'
  const names = operation.credentials.map((name) => credentials[name].title).join(' or ')
  return (
    <>
      Credentials: <a href="#authentication">{names}</a>
      {isMany ? '; none in the sandbox' : null}.
    </>
  )
}

function Answers({ answers }: { answers: { status: string; answer: OpenApiResponse }[] }) {
  return (
    <table className="fields answers">
      <caption>Responses</caption>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Body</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {answers.map(({ status, answer }) => (
          <tr key={status}>
            <th scope="row">
              <code>{status}</code>
            </th>
            <td>
              <SchemaLink name={nameIn(answer.content?.['application/json']?.schema ?? {})} />
            </td>
            <td>
              <Prose text={answer.description} />
              <HeaderList names={Object.keys(answer.headers).filter((name) => name !== 'x-request-id')} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function HeaderList({ names }: { names: string[] }) {
  if (names.length === 0) return null
  return (
    <span className="header-list">
      {names.map((name) => (
        <a className="header-link" key={name} href={`#header-${name}`}>
          {name}
        </a>
      ))}
    </span>
  )
}

function SchemaLink({ name }: { name: string | undefined }) {
  return name === undefined ? <span className="muted">–</span> : <a href={`#schema-${name}`}>{name}</a>
}

type Parameter = Entry['spec']['parameters'][number]

function parameterRow({ name, in: location, required, description, schema }: Parameter, { schemas }: Parts): Field {
  const byDefault = schema.default === undefined ? '' : ` Default: ${String(schema.default)}.`
  return { name, type: `${typeOf(schema, schemas)}, ${location}`, named: null, required, about: description + byDefault }
}

function responseIn(said: OpenApiResponse | { $ref: string }, { responses }: Parts): OpenApiResponse {
  if (!('$ref' in said)) return said
  const shared = responses[said.$ref.split('/').at(-1) ?? '']
  if (!shared) throw new Error(`there is no ${said.$ref}`)
  return shared
}

function formsIn(schema: Parameters<typeof choicesIn>[0], { schemas }: Parts): string[] {
  return choicesIn(schema, schemas).flatMap((choice) => nameIn(choice) ?? [])
}

type ExampleProps = { title: string; names: readonly string[]; parts: Pick<Parts, 'examples'> }

/** Example bodies, collapsed by default. */
function Example({ title, names, parts }: ExampleProps) {
  return names.map((name) => (
    <details className="example" key={name}>
      <summary>
        {title}
        {names.length > 1 ? <span className="muted">: {name}</span> : null}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access */}
      <pre tabIndex={0}>
        <code>{JSON.stringify(parts.examples[name]?.value, null, 2)}</code>
      </pre>
    </details>
  ))
}
