import { nameIn } from '@/server/http/openapi/json-schema'
import type { OpenApiResponse } from '@/server/http/openapi/responses'
import { cx } from '../../../ui/class-names'
import { COMMON_503 } from './chapters'
import { Part } from './part'
import { Prose } from './prose'
import { schemaUrl } from './schema-url'

type Props = { answers: readonly { status: string; answer: OpenApiResponse }[]; headers: readonly string[]; isAlone: boolean }

/** By the first digit of a status. */
const TONES: Record<string, string> = {
  2: 'bg-wash text-accent',
  4: 'bg-warn-wash text-warn',
  5: 'bg-bad-wash text-bad',
}

/** The statuses of an operation with their meaning and body, and the headers that only this operation sends. */
export function Responses({ answers, headers, isAlone }: Props) {
  const names = answers.map(({ answer }) => bodyOf(answer))
  // Most errors have the same body: said once, below them.
  const own = isAlone ? answers : answers.filter(({ answer }) => answer.description !== COMMON_503)
  const common = names.find((name, at) => name !== null && names.indexOf(name) !== at) ?? null
  return (
    <Part title="Responses">
      <dl className="grid text-[0.94rem]">
        {own.map(({ status, answer }) => {
          const name = bodyOf(answer)
          return (
            <div className="grid grid-cols-[3.4rem_minmax(0,1fr)] items-baseline gap-[0.6rem] border-t py-[0.6rem]" key={status}>
              <dt>
                <code className={cx('rounded-md px-[0.45rem] py-[0.1rem] font-semibold', TONES[status[0] ?? ''])}>{status}</code>
              </dt>
              <dd className="wrap-anywhere text-soft">
                <Prose text={answer.description} />{' '}
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
      {common === null ? null : (
        <p className="flex flex-wrap gap-x-[0.6rem] gap-y-[0.2rem] text-[0.92rem]">
          <span className="text-soft">Body of errors:</span>
          <SchemaLink name={common} />
        </p>
      )}
      {headers.length === 0 ? null : (
        <p className="flex flex-wrap gap-x-[0.6rem] gap-y-[0.2rem] text-[0.92rem]">
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

const bodyOf = ({ content }: OpenApiResponse): string | null => nameIn(content?.['application/json']?.schema ?? {}) ?? null

/** A link to an object of the API. */
export function SchemaLink({ name }: { name: string }) {
  return <a href={schemaUrl(name)}>{name}</a>
}
