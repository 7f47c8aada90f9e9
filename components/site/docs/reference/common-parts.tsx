import { isHeaderName, headers as known } from '@/server/http/openapi/headers'
import { Term, Terms } from '../terms'
import { COMMON_503, COMMON_PARTS } from './chapters'
import { Credentials } from './credentials'
import { FieldList } from './field-list'
import { parameterField } from './fields'
import { Prose } from './prose'
import type { Shared } from './shared'

const HEADING = 'mt-[0.9rem] mb-[0.6rem] text-[0.85rem] text-soft'

/** What operations of a page share, once above them, closed. A link to it opens it. */
export function CommonParts({ shared }: { shared: Shared }) {
  const { credentials, key, requestHeaders, responseHeaders } = shared
  const { id, title } = COMMON_PARTS
  return (
    <details
      className="rounded-[10px] border bg-card px-[1.1rem] open:pb-[1.2rem] [&_dl>div:first-child]:border-t-0 [&_dl>div:first-child]:pt-0"
      id={id}
    >
      <summary className="cursor-pointer py-[0.7rem]">
        <span className="flex flex-wrap items-baseline gap-x-[0.6rem]">
          <h2 className="text-[1rem] whitespace-nowrap">{title}</h2>
          <span className="text-[0.92rem] text-soft phone:basis-full">{summaryOf(shared)}</span>
        </span>
      </summary>
      {credentials === null ? null : (
        <p>
          <Credentials {...credentials} />
        </p>
      )}
      {key === null ? null : (
        <>
          <h3 className={HEADING}>In the path</h3>
          <FieldList fields={[parameterField(key)]} />
        </>
      )}
      {requestHeaders.length === 0 ? null : (
        <>
          <h3 className={HEADING}>In requests</h3>
          <FieldList fields={requestHeaders.map(parameterField)} />
        </>
      )}
      <h3 className={HEADING}>503</h3>
      <p>
        <Prose text={COMMON_503} />
      </p>
      {responseHeaders.map((group) => (
        <ResponseHeaders key={group.names.join()} group={group} />
      ))}
    </details>
  )
}

function summaryOf({ credentials, key, requestHeaders, responseHeaders }: Shared): string {
  const parts = [
    ...(credentials === null ? [] : ['credentials']),
    ...(key === null ? [] : ['key in the path']),
    ...(requestHeaders.length === 0 ? [] : ['request headers']),
    '503 answers',
    ...(responseHeaders.length === 0 ? [] : ['response headers']),
  ]
  const text = parts.join(', ')
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

function ResponseHeaders({ group: { names, operations } }: { group: Shared['responseHeaders'][number] }) {
  return (
    <>
      <h3 className={HEADING}>
        In responses
        {operations?.map(({ id, title }, at) => (
          <span key={id}>
            {at > 0 ? ', ' : ' of '}
            <a href={`#${id}`}>{title}</a>
          </span>
        ))}
      </h3>
      <Terms>
        {names.map((name) => {
          const link = (
            <a className="text-inherit" href={`/docs/headers#header-${name}`}>
              <code>{name}</code>
            </a>
          )
          return (
            <Term key={name} name={link}>
              <Prose text={isHeaderName(name) ? known[name].about : ''} />
            </Term>
          )
        })}
      </Terms>
    </>
  )
}
