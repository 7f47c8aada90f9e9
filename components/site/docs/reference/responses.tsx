import { errorCatalog, reasonUrl } from '@/server/http/documented-codes'
import { nameIn } from '@/server/http/openapi/json-schema'
import type { OpenApiResponse } from '@/server/http/openapi/responses'
import { COMMON_503 } from './chapters'
import { Part } from './part'
import { Prose } from './prose'
import { schemaUrl } from './schema-url'
import { Status } from './status'

type Answer = { status: string; answer: OpenApiResponse }
type Props = { answers: readonly Answer[]; headers: readonly string[]; isAlone: boolean }

/** The statuses of an operation with their meaning and body, errors folded, and the headers that only this operation sends. */
export function Responses({ answers, headers, isAlone }: Props) {
  const names = answers.map(({ answer }) => bodyOf(answer))
  // Most errors have the same body: said once, below them.
  const own = isAlone ? answers : answers.filter(({ answer }) => answer.description !== COMMON_503)
  const common = names.find((name, at) => name !== null && names.indexOf(name) !== at) ?? null
  const errors = own.filter(isError)
  return (
    <Part title="Responses">
      <Rows answers={own.filter((one) => !isError(one))} common={common} />
      {errors.length === 0 ? null : (
        <details className="border-t text-[0.94rem]">
          <summary className="cursor-pointer py-[0.6rem]">
            <span className="w-[4.2rem] flex-none">Errors</span>
            <span className="flex flex-wrap gap-x-[0.45rem] gap-y-1">
              {errors.map(({ status }) => (
                <Status key={status} status={status} />
              ))}
            </span>
          </summary>
          <Rows answers={errors} common={common} />
          {common === null ? null : (
            <p className="flex flex-wrap gap-x-[0.6rem] gap-y-[0.2rem] border-t py-[0.6rem] text-[0.92rem]">
              <span className="text-soft">Body of errors:</span>
              <SchemaLink name={common} />
            </p>
          )}
        </details>
      )}
      {headers.length === 0 ? null : (
        <p className="flex flex-wrap gap-x-[0.6rem] gap-y-[0.2rem] border-t pt-[0.6rem] text-[0.92rem]">
          <span className="text-soft">Response headers:</span>
          {headers.map((name) => (
            <a className="text-inherit" key={name} href={`/docs/headers#header-${name}`}>
              <code>{name}</code>
            </a>
          ))}
        </p>
      )}
    </Part>
  )
}

const isError = ({ status }: Answer): boolean => status >= '400'

function Rows({ answers, common }: { answers: readonly Answer[]; common: string | null }) {
  return (
    <dl className="grid text-[0.94rem]">
      {answers.map(({ status, answer }) => {
        const name = bodyOf(answer)
        return (
          <div className="grid grid-cols-[3.4rem_minmax(0,1fr)] items-baseline gap-[0.6rem] border-t py-[0.6rem]" key={status}>
            <dt>
              <Status status={status} />
            </dt>
            <dd className="wrap-anywhere">
              <Meaning text={answer.description} />{' '}
              {name === null || name === common ? null : (
                <span className="text-[0.94em] whitespace-nowrap">
                  <SchemaLink name={name} />
                </span>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** What a status means: a list of codes, each with its cause, or a text. */
function Meaning({ text }: { text: string }) {
  const codes = /^`\w+`(, `\w+`)*$/.test(text) ? text.slice(1, -1).split('`, `') : []
  if (codes.length === 0) return <Prose text={text} />
  return (
    <ul className="grid gap-[0.45rem]">
      {codes.map((code) => (
        <li key={code} className="grid">
          <a className="w-fit max-w-full text-inherit no-underline hover:underline" href={reasonUrl(code)}>
            <code className="text-ink">{code}</code>
          </a>
          <span className="text-[0.88rem]">
            <Prose text={errorCatalog.find((one) => one.code === code)?.cause ?? ''} />
          </span>
        </li>
      ))}
    </ul>
  )
}

const bodyOf = ({ content }: OpenApiResponse): string | null => nameIn(content?.['application/json']?.schema ?? {}) ?? null

/** A link to an object of the API. */
export function SchemaLink({ name }: { name: string }) {
  return <a href={schemaUrl(name)}>{name}</a>
}
