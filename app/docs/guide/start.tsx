import type { DocsGroup } from '@/app/docs/pages'

/** The list of all pages. */
export function Start({ groups }: { groups: readonly DocsGroup[] }) {
  return (
    <>
      <div className="docs-first">
        <a className="card" href="/docs/quickstart">
          <strong>Charge for a route</strong>
          <span>A paid server in five minutes: Express, Hono, Next.js or Python.</span>
        </a>
        <a className="card" href="/docs/payers-and-agents">
          <strong>Pay, or build an agent</strong>
          <span>Pay for requests from a program. Buy credits without an account.</span>
        </a>
        <a className="card" href="/docs/errors">
          <strong>Look up an error</strong>
          <span>Every status and reason code, with what to do.</span>
        </a>
      </div>
      {groups.map(({ title, pages }) => (
        <section key={title} className="docs-section">
          <h2>{title}</h2>
          <ul className="docs-list">
            {pages.map(({ path, title: name, description }) => (
              <li key={path}>
                <a href={path}>{name}</a>
                <span className="muted">{description}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <p className="muted">
        For programs: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1), and <a href="/llms.txt">/llms.txt</a> for agents.
      </p>
    </>
  )
}
