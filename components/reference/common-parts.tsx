import { Terms } from '@/components/docs/terms'
import { isHeaderName, headers as known } from '@/server/http/openapi/headers'
import { COMMON_HEADERS } from './chapters'
import { Credentials } from './credentials'
import { FieldList } from './field-list'
import { parameterField } from './fields'
import { Prose } from './prose'
import type { Shared } from './shared'

/** What operations of a page share, once above them. */
export function CommonHeaders({ shared: { credentials, key, requestHeaders, responseHeaders } }: { shared: Shared }) {
  const { id, title } = COMMON_HEADERS
  const sent = [...(key ? [key] : []), ...requestHeaders]
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
      {sent.length === 0 ? null : (
        <>
          <h3>In requests</h3>
          <FieldList fields={sent.map(parameterField)} />
        </>
      )}
      <h3>In responses</h3>
      <Terms
        rows={responseHeaders.map(({ name, operations }) => ({
          key: name,
          term: (
            <a className="header-link" href={`/docs/headers#header-${name}`}>
              <code>{name}</code>
            </a>
          ),
          meaning: (
            <>
              <Prose text={isHeaderName(name) ? known[name].about : ''} />
              {operations === null ? null : (
                <span className="only">
                  {' '}
                  On{' '}
                  {operations.map((entry, at) => (
                    <span key={entry.id}>
                      {at > 0 ? ', ' : ''}
                      <a href={`#${entry.id}`}>{entry.title}</a>
                    </span>
                  ))}
                  .
                </span>
              )}
            </>
          ),
        }))}
      />
    </section>
  )
}
