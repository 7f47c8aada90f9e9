import { Breaking } from '../../../ui/breaking'
import { OPERATOR_ANCHOR, overviewAnchor } from '../contents'
import { BASE_URLS } from '../guides/tables'
import { Term, Terms } from '../terms'
import type { Chapter, Entry } from './chapters'
import { CredentialTags, isFreeInSandbox } from './credentials'
import { WordFilter } from './filter'
import { Method } from './method'
import { InlineCode } from './prose'

/** All routes by group; those of the operator below a heading of their own. */
export function Overview({ chapters, baseUrl }: { chapters: readonly Chapter[]; baseUrl: string }) {
  const shownTo = (audience: Chapter['audience']) => chapters.filter((chapter) => chapter.audience === audience)
  return (
    <>
      <p className="pb-4">
        The base URL is <InlineCode>{baseUrl}</InlineCode>. <code>{'{prefix}'}</code> stands for one of these paths. Other routes
        need <a href="/docs/authentication">their own credential</a>, or none.
      </p>
      <Terms framed>
        {BASE_URLS.map(({ path, about }) => (
          <Term key={path} name={<code>{path}</code>}>
            {about}
          </Term>
        ))}
      </Terms>
      <p className="pt-4 pb-8">
        Every response has an <InlineCode>x-request-id</InlineCode>, and every <a href="/docs/errors">error</a> says what to
        change. For programs there is <a href="/openapi.json">/openapi.json</a>.
      </p>
      <WordFilter what="route" placeholder="settle, history, DELETE…" count={chapters.flatMap(({ entries }) => entries).length}>
        {shownTo('everyone').map((chapter, at) => (
          <Routes key={chapter.tag} chapter={chapter} isOpen={at === 0} />
        ))}
        <div className="border-t-3" id={OPERATOR_ANCHOR} data-group>
          <h2 className="pt-8 text-[1.6rem]">Operator</h2>
          {shownTo('operator').map((chapter) => (
            <Routes key={chapter.tag} chapter={chapter} />
          ))}
        </div>
      </WordFilter>
    </>
  )
}

/** A route names its credentials where they are not those of most in its group. A phone folds a long group. */
function Routes({ chapter: { tag, path, about, audience, entries }, isOpen = false }: { chapter: Chapter; isOpen?: boolean }) {
  const Heading = audience === 'operator' ? 'h3' : 'h2'
  const usual = mostly(entries)
  return (
    <section className="docs-section" id={overviewAnchor(tag)} aria-labelledby={`${overviewAnchor(tag)}-title`} data-group>
      <div className="grid gap-1.5">
        <Heading className="mt-0 text-[1.25rem]" id={`${overviewAnchor(tag)}-title`}>
          <a className="anchor" href={path}>
            {tag}
          </a>
        </Heading>
        <p className="text-[0.92rem] text-soft">{about}</p>
        <p className="flex flex-wrap items-baseline gap-1.5 text-[0.85rem] text-soft">
          Credential: <CredentialTags names={usual.credentials} /> {isFreeInSandbox(usual) ? 'none in the sandbox' : null}
        </p>
      </div>
      {isOpen || entries.length < 3 ? null : (
        <details className="min-[42.01rem]:hidden">
          <summary className="cursor-pointer rounded-[10px] border bg-card px-[0.9rem] py-[0.7rem] font-medium before:order-last before:mr-0! before:ml-auto">
            {entries.length} routes <span className="sr-only">of {tag}</span>
          </summary>
        </details>
      )}
      <ul className="list-none gap-0 overflow-hidden rounded-[10px] border bg-card p-0">
        {entries.map(({ id, title, method, path: address, paths, credentials }) => (
          <li
            className="not-first:border-t"
            key={id}
            data-words={`${method} ${address} ${paths.join(' ')} ${title} ${tag}`.toLowerCase()}
          >
            <a
              className="grid grid-cols-[3rem_minmax(0,1fr)_0.7rem] items-baseline gap-x-[0.7rem] gap-y-[0.15rem] px-[0.9rem] py-[0.55rem] text-inherit no-underline after:col-[-2] after:row-1 after:size-[0.4rem] after:-translate-y-px after:rotate-[-45deg] after:border-r-2 after:border-b-2 after:border-soft hover:bg-wash hover:after:border-accent focus-visible:-outline-offset-2 min-[42rem]:grid-cols-[3rem_minmax(0,19.5rem)_minmax(0,1fr)_auto_0.7rem]"
              href={`${path}#${id}`}
            >
              <Method name={method} className="px-0! text-center text-[0.68rem]!" />
              <code className="bg-transparent p-0 text-[0.86rem] max-[42rem]:col-[2/-1] max-[42rem]:row-2">
                <Breaking text={address.replace('{key}', '<API_KEY>')} />
              </code>
              <span className="text-[0.9rem] min-[42rem]:text-soft">{title}</span>
              <span className="flex gap-1.5 empty:hidden max-[42rem]:col-[2/-1] max-[42rem]:row-3">
                {String(credentials) === String(usual.credentials) ? null : <CredentialTags names={credentials} />}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A route with the credentials that most of the routes accept. */
function mostly(entries: readonly Entry[]): Pick<Entry, 'credentials' | 'paths'> {
  const alike = (one: Entry) => entries.filter(({ credentials }) => String(credentials) === String(one.credentials)).length
  return entries.toSorted((one, other) => alike(other) - alike(one))[0] ?? { credentials: [], paths: [] }
}
