import { Breaking } from '../../../ui/breaking'
import { CopyLine } from '../../../ui/copy-line'
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
      <CopyLine name="Base URL" text={baseUrl} />
      <p className="py-4">
        Put the path of a route after it, and replace <code>{'{prefix}'}</code> with one of these:
      </p>
      <div className="pb-8">
        <Terms framed>
          {BASE_URLS.map(({ path, about }) => (
            <Term key={path} name={<code>{path}</code>}>
              {about}
            </Term>
          ))}
        </Terms>
      </div>
      <WordFilter what="route" placeholder="settle, history, DELETE…" count={chapters.flatMap(({ entries }) => entries).length}>
        {shownTo('everyone').map((chapter) => (
          <Routes key={chapter.tag} chapter={chapter} />
        ))}
        <div className="border-t-3" id={OPERATOR_ANCHOR} data-group>
          <h2 className="pt-8 text-[1.6rem]">Operator</h2>
          {shownTo('operator').map((chapter) => (
            <Routes key={chapter.tag} chapter={chapter} />
          ))}
        </div>
      </WordFilter>
      <p className="pt-8">
        Each group names its <a href="/docs/authentication">credential</a>. Every response has an{' '}
        <InlineCode>x-request-id</InlineCode>, and every <a href="/docs/errors">error</a> says what to change. For programs there
        is <a href="/openapi.json">/openapi.json</a>.
      </p>
    </>
  )
}

const ROW =
  'col-span-full grid grid-cols-subgrid items-center gap-y-[0.15rem] py-[0.55rem] text-inherit no-underline after:col-[-2] after:row-1 after:size-[0.4rem] after:rotate-[-45deg] after:border-r-2 after:border-b-2 after:border-soft hover:bg-wash hover:after:border-accent focus-visible:-outline-offset-2 max-[42rem]:after:row-[1/3]'

/** A route names its credentials where they are not those of most in its group. A phone folds each group. */
function Routes({ chapter: { tag, path, about, audience, entries } }: { chapter: Chapter }) {
  const Heading = audience === 'operator' ? 'h3' : 'h2'
  const usual = mostly(entries)
  return (
    <section
      className="docs-section pt-6! pb-8!"
      id={overviewAnchor(tag)}
      aria-labelledby={`${overviewAnchor(tag)}-title`}
      data-group
    >
      <div className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-1.5 *:nth-[n+3]:col-span-full">
        <Heading className="mt-0 text-[1.25rem]" id={`${overviewAnchor(tag)}-title`}>
          <a className="anchor relative z-1" href={path}>
            {tag}
          </a>
        </Heading>
        {/* Its target is all that stands above the routes. */}
        <details className="in-data-filtered:hidden min-[42.01rem]:hidden">
          <summary className="cursor-pointer text-[0.88rem] text-soft tabular-nums before:order-last before:mr-1! before:ml-3 after:absolute after:inset-0">
            {entries.length} {entries.length === 1 ? 'route' : 'routes'} <span className="sr-only">of {tag}</span>
          </summary>
        </details>
        <p className="text-[0.92rem] text-soft">{about}</p>
        <p className="flex flex-wrap items-center gap-1.5 text-[0.85rem] text-soft">
          {usual.credentials.length === 0 ? null : 'Credential: '}
          <CredentialTags names={usual.credentials} /> {isFreeInSandbox(usual) ? 'or none in the sandbox' : null}
        </p>
      </div>
      <ul className="list-none grid-cols-[3.9rem_minmax(0,1fr)_1.6rem] gap-x-[0.7rem] gap-y-0 overflow-hidden rounded-[10px] border bg-card p-0 [--path:16.5rem] min-[42rem]:grid-cols-[3.9rem_var(--path)_minmax(0,1fr)_auto_1.6rem] xl:[--path:19.5rem]">
        {entries.map(({ id, title, method, path: address, paths, credentials }) => (
          <li
            className="col-span-full grid grid-cols-subgrid not-first:border-t"
            key={id}
            data-words={`${method} ${address} ${paths.join(' ')} ${title} ${tag}`.toLowerCase()}
          >
            <a className={ROW} href={`${path}#${id}`}>
              <Method name={method} className="row-1 ml-[0.9rem] px-0! text-center text-[0.68rem]! max-[42rem]:row-[1/3]" />
              <span className="col-2 row-1 text-[0.9rem] min-[42rem]:col-3 min-[42rem]:text-soft min-[42rem]:has-[+*>:empty]:col-[3/5]">
                {title}
              </span>
              <span className="col-2 row-2 flex flex-wrap items-center gap-x-3 gap-y-1 min-[42rem]:contents">
                <code className="col-2 row-1 bg-transparent p-0 text-[0.86rem]">
                  <Breaking text={address.replace('{key}', '<API_KEY>')} />
                </code>
                <span className="col-4 row-1 flex justify-end gap-1.5 empty:hidden">
                  {String(credentials) === String(usual.credentials) ? null : <CredentialTags names={credentials} />}
                </span>
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
