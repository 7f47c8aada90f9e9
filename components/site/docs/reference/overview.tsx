import { Breaking } from '../../../ui/breaking'
import { Code } from '../../../ui/code/code'
import { overviewAnchor } from '../contents'
import type { Chapter } from './chapters'

/** All routes by group; those of the operator below a heading of their own. */
export function Overview({ chapters, baseUrl }: { chapters: readonly Chapter[]; baseUrl: string }) {
  const shownTo = (audience: Chapter['audience']) => chapters.filter((chapter) => chapter.audience === audience)
  return (
    <>
      <p className="docs-intro">
        <code>{'{prefix}'}</code> is <code>/sandbox</code>, <code>{'/v1/<API_KEY>'}</code> or <code>{'/v1/<API_KEY>/flash'}</code>
        : see <a href="/docs/settlement#urls">base URLs</a>. Other credentials are on{' '}
        <a href="/docs/authentication">authentication</a>.
      </p>
      <p className="docs-intro">
        Every response has an <code>x-request-id</code>, and every <a href="/docs/errors">error</a> says what to change. For
        programs there is <a href="/openapi.json">/openapi.json</a>.
      </p>
      <Code name="Base URL and authentication" code={firstRequests(baseUrl)} language="shellscript" />
      {shownTo('everyone').map((chapter) => (
        <Routes key={chapter.tag} chapter={chapter} />
      ))}
      <div className="operator">
        <h2>Operator</h2>
        <p className="muted">For operators: tenants, signers, health and metrics.</p>
      </div>
      {shownTo('operator').map((chapter) => (
        <Routes key={chapter.tag} chapter={chapter} />
      ))}
    </>
  )
}

// Two requests to copy: one that needs no credential, one with a key.
const firstRequests = (baseUrl: string): string => `# The sandbox needs no key.
curl '${baseUrl}/sandbox/supported'

# The key is part of the URL, so keep the URL secret.
curl '${baseUrl}/v1/<API_KEY>/supported'`

function Routes({ chapter: { tag, path, about, audience, entries } }: { chapter: Chapter }) {
  const Heading = audience === 'operator' ? 'h3' : 'h2'
  return (
    <section className="docs-section route-group" id={overviewAnchor(tag)} aria-labelledby={`${overviewAnchor(tag)}-title`}>
      <div>
        <Heading className="route-group-title" id={`${overviewAnchor(tag)}-title`}>
          <a className="anchor" href={path}>
            {tag}
          </a>
        </Heading>
        <p className="muted small">{about}</p>
      </div>
      <ul className="routes">
        {entries.map(({ id, title, method, path: address }) => (
          <li key={id}>
            <a href={`${path}#${id}`}>
              <span className={`method ${method.toLowerCase()}`}>{method}</span>
              <code>
                <Breaking text={address} />
              </code>
              <span className="route-title">{title}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
