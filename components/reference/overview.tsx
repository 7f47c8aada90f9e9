import type { Chapter } from './chapters'

/** All routes by group. */
export function Overview({ chapters }: { chapters: readonly Chapter[] }) {
  return (
    <>
      <p>
        The prefix is one of the <a href="/docs/settlement#urls">base URLs</a>. Every response has an <code>x-request-id</code>,
        and every <a href="/docs/errors">error</a> says what to change. For programs there is{' '}
        <a href="/openapi.json">/openapi.json</a>.
      </p>
      {chapters.map(({ tag, path, about, entries }) => (
        <section key={tag} className="docs-section">
          <h2>
            <a className="anchor" href={path}>
              {tag}
            </a>
          </h2>
          <p className="muted">{about}</p>
          <ul className="routes">
            {entries.map(({ id, title, method, path: address }) => (
              <li key={id}>
                <a href={`${path}#${id}`}>{title}</a>
                <span className="address">
                  <span className={`method ${method.toLowerCase()}`}>{method}</span> <code>{address}</code>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
