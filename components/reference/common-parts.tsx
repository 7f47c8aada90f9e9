import { Terms } from '@/components/docs/terms'
import { isHeaderName, headers as known } from '@/server/http/openapi/headers'
import { COMMON_PARTS } from './chapters'
import { Credentials } from './credentials'
import { FieldList } from './field-list'
import { parameterField } from './fields'
import { Prose } from './prose'
import type { Shared } from './shared'

/** What operations of a page share, once above them. */
export function CommonParts({ shared: { credentials, key, requestHeaders, responseHeaders } }: { shared: Shared }) {
  const { id, title } = COMMON_PARTS
  return (
    <section className="common" id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        <a className="anchor" href={`#${id}`}>
          {title}
        </a>
      </h2>
      {credentials === null ? null : (
        <p>
          <Credentials names={credentials} />
        </p>
      )}
      {key === null ? null : (
        <>
          <h3>In the path</h3>
          <FieldList fields={[parameterField(key)]} />
        </>
      )}
      {requestHeaders.length === 0 ? null : (
        <>
          <h3>In requests</h3>
          <FieldList fields={requestHeaders.map(parameterField)} />
        </>
      )}
      {responseHeaders.map((group) => (
        <ResponseHeaders key={group.names.join()} group={group} />
      ))}
    </section>
  )
}

function ResponseHeaders({ group: { names, operations } }: { group: Shared['responseHeaders'][number] }) {
  return (
    <>
      <h3>
        In responses
        {operations?.map(({ id, title }, at) => (
          <span key={id}>
            {at > 0 ? ', ' : ' of '}
            <a href={`#${id}`}>{title}</a>
          </span>
        ))}
      </h3>
      <Terms
        rows={names.map((name) => ({
          key: name,
          term: (
            <a className="header-link" href={`/docs/headers#header-${name}`}>
              <code>{name}</code>
            </a>
          ),
          meaning: <Prose text={isHeaderName(name) ? known[name].about : ''} />,
        }))}
      />
    </>
  )
}
