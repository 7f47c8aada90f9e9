import { requestPrograms, type ShownRequest } from '@/app/docs/programs/requests'
import { Colored } from '@/components/code/code'
import { CodeTabs } from '@/components/code/tabs'
import { credentials } from '@/server/http/openapi/credentials'
import type { OpenApiDocument } from '@/server/http/openapi/document'
import { choicesIn, nameIn } from '@/server/http/openapi/json-schema'
import type { OpenApiResponse } from '@/server/http/openapi/responses'
import type { Entry } from './chapters'
import { FieldTable } from './field-table'
import { type Field, typeOf } from './fields'
import { Prose } from './prose'
import { schemaUrl } from './schema-url'

type Parts = OpenApiDocument['components']

/** An operation: paths, credentials, request and responses, and the request as programs. */
export function OperationSection({ entry, parts, baseUrl }: { entry: Entry; parts: Parts; baseUrl: string }) {
  const { spec, credentials: names, paths, method, path: address } = entry
  const body = spec.requestBody?.content['application/json']?.schema
  const answers = Object.entries(spec.responses).map(([status, said]) => ({ status, answer: responseIn(said, parts) }))
  const good = answers.find(({ status }) => status < '300') ?? answers[0]
  const shown = good?.answer.content?.['application/json']?.schema
  const forms = body ? formsIn(body, parts) : []
  return (
    <section className="operation" id={entry.id} aria-labelledby={`${entry.id}-title`}>
      <h2 id={`${entry.id}-title`}>
        <a className="anchor" href={`#${entry.id}`}>
          {entry.title}
        </a>
      </h2>
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
        <Credentials names={names} isMany={paths.length > 1} />
      </p>
      <FieldTable caption="Parameters" fields={spec.parameters.map((one) => parameterRow(one, parts))} />
      {body ? (
        <p className="small">
          Body: <SchemaLink name={nameIn(body)} />
          {spec.requestBody?.required ? null : <span className="muted">, optional</span>}
        </p>
      ) : null}
      <CodeTabs title="Example request" variants={requestPrograms(requestOf(entry, baseUrl, exampleOf(forms[0], parts)))} />
      {forms.slice(1).map((name) => (
        <Example key={name} title={`Example body: ${name}`} name={name} parts={parts} />
      ))}
      <Answers answers={answers} />
      {(shown ? formsIn(shown, parts) : []).map((name, at, all) => (
        <Example
          key={name}
          title={`Example response${all.length > 1 ? `: ${name}` : ''}`}
          name={name}
          parts={parts}
          isOpen={at === 0}
        />
      ))}
    </section>
  )
}

// Of several paths, the first needs no key: the sandbox.
function requestOf({ method, paths, path, credentials: names, spec }: Entry, baseUrl: string, body: unknown): ShownRequest {
  const values = new Map(spec.parameters.map(({ name, schema }) => [name, schema.examples?.[0] ?? schema.example]))
  const filled = (paths[0] ?? path).replace(/{(\w+)}/g, (_, name: string) =>
    name === 'key' ? '<API_KEY>' : String(values.get(name) ?? `<${name}>`),
  )
  return { method, url: baseUrl + filled, credential: names[0] ?? null, body }
}

const exampleOf = (form: string | undefined, { examples }: Parts): unknown =>
  form === undefined ? null : (examples[form]?.value ?? null)

function Credentials({ names, isMany }: { names: Entry['credentials']; isMany: boolean }) {
  if (names.length === 0) return 'No credentials needed.'
  const titles = names.map((name) => credentials[name].title).join(' or ')
  return (
    <>
      Credentials: <a href="/docs/authentication">{titles}</a>
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
        <a className="header-link" key={name} href={`/docs/headers#header-${name}`}>
          {name}
        </a>
      ))}
    </span>
  )
}

function SchemaLink({ name }: { name: string | undefined }) {
  return name === undefined ? <span className="muted">–</span> : <a href={schemaUrl(name)}>{name}</a>
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

type ExampleProps = { title: string; name: string; parts: Pick<Parts, 'examples'>; isOpen?: boolean }

/** An example body, closed unless `isOpen`. */
function Example({ title, name, parts, isOpen = false }: ExampleProps) {
  return (
    <details className="example" open={isOpen}>
      <summary>{title}</summary>
      <Colored code={JSON.stringify(parts.examples[name]?.value, null, 2)} language="json" />
    </details>
  )
}
