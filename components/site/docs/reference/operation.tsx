import type { OpenApiDocument } from '@/server/http/openapi/document'
import { choicesIn, type JsonSchema, nameIn } from '@/server/http/openapi/json-schema'
import { requestPrograms, type ShownRequest } from '../../../client/programs/requests'
import { Code } from '../../../ui/code/code'
import { CodeTabs } from '../../../ui/code/tabs'
import type { Entry } from './chapters'
import { Credentials } from './credentials'
import { Chosen, ExampleChoice } from './example-choice'
import { FieldList } from './field-list'
import { fieldsOf, parameterField } from './fields'
import { Method } from './method'
import { Part } from './part'
import { Prose } from './prose'
import { Responses, SchemaLink } from './responses'
import { ownOf, responseIn, type Shared } from './shared'

type Parts = OpenApiDocument['components']
/** `isRepeat`: an operation above has the same body. */
type Props = { entry: Entry; shared: Shared; parts: Parts; baseUrl: string; isAlone: boolean; isRepeat: boolean }

/** The name of an object in words: "Payment request, x402 version 1". */
function inWords(name: string): string {
  const [, kind = name, version] = /^(.+?)(?:V(\d))?$/.exec(name) ?? []
  const [first = '', ...others] = kind.split(/(?=[A-Z])/)
  const words = [first, ...others.map((word) => word.toLowerCase())].join(' ')
  return version ? `${words}, x402 version ${version}` : words
}

/** An operation: its text and fields, and next to them the request as programs with its response. */
export function OperationSection({ entry, shared, parts, baseUrl, isAlone, isRepeat }: Props) {
  const { spec, credentials, paths, method, path: address } = entry
  const body = spec.requestBody?.content['application/json']?.schema
  const answers = Object.entries(spec.responses).map(([status, said]) => ({ status, answer: responseIn(said, parts) }))
  const good = answers.find(({ status }) => status < '300') ?? answers[0]
  const shown = good?.answer.content?.['application/json']?.schema
  const forms = body ? formsIn(body, parts) : []
  const own = ownOf(entry, shared, parts)
  const fold = isRepeat ? 'brief' : 'early'
  return (
    <section
      className="grid grid-cols-1 gap-x-10 gap-y-[1.2rem] pt-8 pb-10 xl:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] xl:grid-rows-[auto_1fr] [&+&]:border-t"
      id={entry.id}
      aria-labelledby={`${entry.id}-title`}
    >
      <div className="grid grid-cols-1 content-start gap-3">
        <h2 className="text-[1.4rem]" id={`${entry.id}-title`}>
          <a className="anchor" href={`#${entry.id}`}>
            {entry.title}
          </a>
        </h2>
        <p className="flex flex-wrap items-baseline gap-x-[0.6rem] gap-y-[0.3rem] text-[1.1rem]">
          <Method name={method} /> <code>{address}</code>
        </p>
        <p>
          <Prose text={spec.description} />
        </p>
        {paths.length > 1 ? <Paths paths={paths} /> : null}
        {shared.credentials === null ? (
          <p className="text-[0.92rem] text-soft">
            <Credentials credentials={credentials} paths={paths} />
          </p>
        ) : null}
      </div>
      <div className="contents grid-cols-1 content-start gap-3 xl:col-2 xl:row-[1/3] xl:grid [&_.snippet_pre]:text-[0.8rem] [&_[data-wraps]_pre]:whitespace-pre-wrap [&_[data-wraps]_span]:wrap-anywhere [&_[data-wraps]_span]:whitespace-pre-wrap">
        <ExampleChoice
          label="Example"
          examples={(forms.length > 0 ? forms : [undefined]).map((form, at) => ({
            name: inWords(form ?? ''),
            shown:
              at === 0 || form === undefined ? (
                <CodeTabs
                  title="Example request"
                  fold={fold}
                  variants={requestPrograms(requestOf(entry, baseUrl, exampleOf(form, parts)))}
                />
              ) : (
                <Code name="Request body" code={exampleText(form, parts)} language="json" fold={fold} />
              ),
          }))}
        />
        <div className="empty:hidden max-xl:order-1">
          <Chosen>
            <ExampleChoice
              label="Response"
              examples={(shown ? formsIn(shown, parts) : []).map((form) => ({
                name: inWords(form),
                shown: <Code name={`${good?.status} response`} code={exampleText(form, parts)} language="json" fold="early" />,
              }))}
            />
          </Chosen>
        </div>
      </div>
      <div className="grid grid-cols-1 content-start gap-3">
        {PLACES.map(([place, title]) => {
          const fields = own.parameters.filter((one) => one.in === place)
          return fields.length === 0 ? null : (
            <Part key={place} title={title}>
              <FieldList fields={fields.map(parameterField)} />
            </Part>
          )
        })}
        {body ? <Body body={body} isRequired={spec.requestBody?.required ?? false} parts={parts} /> : null}
        <Responses answers={answers} headers={own.responseHeaders} isAlone={isAlone} />
      </div>
    </section>
  )
}

const PLACES = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Request headers'],
] as const

function Paths({ paths }: { paths: readonly string[] }) {
  return (
    <p className="text-[0.92rem] text-soft">
      At{' '}
      {paths.map((path, at) => (
        <span key={path}>
          {at > 0 ? ', ' : ''}
          <code>{path.replace('{key}', '<API_KEY>')}</code>
        </span>
      ))}
    </p>
  )
}

function Body({ body, isRequired, parts }: { body: JsonSchema; isRequired: boolean; parts: Parts }) {
  return (
    <Part title={isRequired ? 'Body' : 'Body (optional)'}>
      <ExampleChoice
        label="Form"
        examples={choicesIn(body, parts.schemas).map((form) => {
          const named = nameIn(form)
          const fields = fieldsOf(form, parts.schemas)
          return {
            name: inWords(named ?? ''),
            shown: (
              <>
                {named === undefined ? null : (
                  <p className="pb-[0.4rem] text-[0.92rem]">
                    <SchemaLink name={named} />
                  </p>
                )}
                {fields.length === 0 ? null : <FieldList fields={fields} schemas={parts.schemas} />}
              </>
            ),
          }
        })}
      />
    </Part>
  )
}

// Of several paths, the first needs no key: the sandbox.
function requestOf({ method, paths, path, credentials: names, spec }: Entry, baseUrl: string, body: unknown): ShownRequest {
  const values = new Map(spec.parameters.map(({ name, schema }) => [name, schema.examples?.[0] ?? schema.example]))
  const filled = (paths[0] ?? path).replace(/{(\w+)}/g, (_, name: string) =>
    name === 'key' ? '<API_KEY>' : String(values.get(name) ?? `<${name}>`),
  )
  const asked = spec.parameters
    .filter(({ name, in: place, required }) => place === 'query' && (required || (ASKED_BY[path] ?? []).includes(name)))
    .map(({ name }) => `${name}=${encodeURIComponent(String(values.get(name) ?? `<${name}>`))}`)
  return { method, url: baseUrl + filled + (asked.length > 0 ? `?${asked.join('&')}` : ''), credential: names[0] ?? null, body }
}

/** Query parameters that a route needs though none of them is required, by its address. */
const ASKED_BY: Record<string, readonly string[]> = { '{prefix}/settlements': ['payer', 'nonce'] }

const exampleOf = (form: string | undefined, { examples }: Parts): unknown =>
  form === undefined ? null : (examples[form]?.value ?? null)

const exampleText = (form: string, parts: Parts): string => JSON.stringify(exampleOf(form, parts), null, 2)

function formsIn(schema: JsonSchema, { schemas }: Parts): string[] {
  return choicesIn(schema, schemas).flatMap((choice) => nameIn(choice) ?? [])
}
