import { Breaking } from '../../../ui/breaking'
import { Code } from '../../../ui/code/code'
import { OPERATOR_ANCHOR, overviewAnchor } from '../contents'
import type { Chapter } from './chapters'
import { Method } from './method'

/** All routes by group; those of the operator below a heading of their own. */
export function Overview({ chapters, baseUrl }: { chapters: readonly Chapter[]; baseUrl: string }) {
  const shownTo = (audience: Chapter['audience']) => chapters.filter((chapter) => chapter.audience === audience)
  return (
    <>
      <p className="pb-[0.6rem]">
        Paths begin with a <code>{'{prefix}'}</code>. Routes without one need a{' '}
        <a href="/docs/authentication">credential of their own</a>.
      </p>
      <table className="mb-[0.8rem] w-full border-separate border-spacing-0 overflow-hidden rounded-[10px] border bg-card text-[0.94rem]">
        <tbody>
          {PREFIXES.map(([prefix, about]) => (
            <tr
              key={prefix}
              className="[&:not(:first-child)>*]:border-t phone:grid phone:py-[0.5rem] phone:not-first:border-t phone:*:border-0! phone:*:py-[0.1rem]!"
            >
              <th scope="row" className="px-[0.9rem] py-[0.5rem] text-left font-normal whitespace-nowrap">
                <code>{prefix}</code>
              </th>
              <td className="w-full px-[0.9rem] py-[0.5rem] text-soft">{about}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="pb-[0.6rem]">
        Every response has an <code>x-request-id</code>, and every <a href="/docs/errors">error</a> says what to change. For
        programs there is <a href="/openapi.json">/openapi.json</a>.
      </p>
      <div className="mt-2 mb-[0.8rem]">
        <Code name="Base URL and authentication" code={firstRequests(baseUrl)} language="shellscript" />
      </div>
      {shownTo('everyone').map((chapter) => (
        <Routes key={chapter.tag} chapter={chapter} />
      ))}
      <div className="mt-[1.6rem] grid gap-[0.3rem] border-t-3 pt-8" id={OPERATOR_ANCHOR}>
        <h2 className="text-[1.6rem]">Operator</h2>
        <p className="text-soft">For operators: tenants, signers, health and metrics.</p>
      </div>
      {shownTo('operator').map((chapter) => (
        <Routes key={chapter.tag} chapter={chapter} />
      ))}
    </>
  )
}

const PREFIXES = [
  ['/sandbox', 'Test money, without a key.'],
  ['/v1/<API_KEY>', 'Your plan, on every network of the key.'],
  ['/v1/<API_KEY>/flash', 'Answers before the block, on plans with Flash.'],
] as const

// Two requests to copy: one that needs no credential, one with a key.
const firstRequests = (baseUrl: string): string => `# The sandbox needs no key.
curl '${baseUrl}/sandbox/supported'

# The key is part of the URL, so keep the URL secret.
curl '${baseUrl}/v1/<API_KEY>/supported'`

function Routes({ chapter: { tag, path, about, audience, entries } }: { chapter: Chapter }) {
  const Heading = audience === 'operator' ? 'h3' : 'h2'
  return (
    <section className="docs-section" id={overviewAnchor(tag)} aria-labelledby={`${overviewAnchor(tag)}-title`}>
      <div className="grid gap-[0.15rem]">
        <Heading className="mt-0 text-[1.25rem]" id={`${overviewAnchor(tag)}-title`}>
          <a className="anchor" href={path}>
            {tag}
          </a>
        </Heading>
        <p className="text-[0.92rem] text-soft">{about}</p>
      </div>
      <ul className="list-none gap-0 overflow-hidden rounded-[10px] border bg-card p-0">
        {entries.map(({ id, title, method, path: address }) => (
          <li className="not-first:border-t" key={id}>
            <a
              className="grid grid-cols-[4.6rem_minmax(0,1fr)_0.7rem] items-baseline gap-x-[0.8rem] gap-y-[0.15rem] px-[0.9rem] py-[0.55rem] text-inherit no-underline after:col-[-2] after:row-1 after:size-[0.4rem] after:rotate-[-45deg] after:self-center after:border-r-2 after:border-b-2 after:border-soft hover:bg-wash hover:after:border-accent focus-visible:-outline-offset-2 min-[42rem]:grid-cols-[4.6rem_minmax(0,1.25fr)_minmax(0,1fr)_0.7rem]"
              href={`${path}#${id}`}
            >
              <Method name={method} className="min-w-[4.2rem] justify-self-start text-center" />
              <code className="bg-transparent p-0 text-[0.86rem]">
                <Breaking text={address.replace('{key}', '<API_KEY>')} />
              </code>
              <span className="col-start-2 text-[0.9rem] text-soft min-[42rem]:col-start-3">{title}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
