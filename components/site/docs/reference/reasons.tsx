import { anchorOf, type ErrorCatalogEntry, errorCatalog, type Place } from '@/server/http/documented-codes'
import { Tag } from '../../../ui/badge'
import { cx } from '../../../ui/class-names'
import { WordFilter } from './filter'
import { OpenTarget } from './open-target'
import { Prose } from './prose'
import { type ReasonGroup, reasonSections } from './reason-groups'

const PLACES = {
  judged: 'verify or settle result',
  refused: 'HTTP error',
  history: 'history',
} as const satisfies Record<Place, string>

// What payers and merchants meet in the first days.
const SEEN_MOST = [
  'insufficient_funds',
  'settlement_pending',
  'invalid_exact_evm_signature',
  'authorization_used_elsewhere',
] as const

const LABEL = 'text-[0.88rem] leading-[1.75] text-soft'

/** Every reason code with its cause and remedy, by kind of cause. A link to one opens its group. */
export function Reasons() {
  return (
    <>
      <WordFilter what="reason" placeholder="balance, 429, signature…" count={errorCatalog.length}>
        <p className="flex flex-wrap items-center gap-2 pb-4 in-data-filtered:hidden">
          <span className="mr-1 text-[0.92rem] text-soft phone:w-full">Seen most</span>
          {SEEN_MOST.map((code) => (
            <a
              key={code}
              className="rounded-full border bg-card px-3 py-1 no-underline hover:border-accent"
              href={`#${anchorOf(code)}`}
            >
              <code className="bg-transparent p-0 text-[0.8rem] whitespace-nowrap">{code}</code>
            </a>
          ))}
        </p>
        {reasonSections.map((group) => (
          <Group group={group} key={group.id} />
        ))}
      </WordFilter>
      <OpenTarget />
    </>
  )
}

function Group({ group: { id, title, about, codes } }: { group: ReasonGroup }) {
  return (
    <details className="rounded-[10px] border bg-card [&+&]:mt-[0.6rem]" id={id} data-group>
      <summary className="group grid cursor-pointer grid-cols-[1rem_minmax(0,1fr)_auto] items-baseline gap-x-[0.6rem] gap-y-[0.1rem] rounded-[10px] px-[1.1rem] py-[0.85rem]">
        <h3 className="mt-0 text-[1.05rem] group-hover:text-accent">{title}</h3>
        <span className="text-[0.88rem] whitespace-nowrap text-soft tabular-nums in-data-filtered:invisible">
          {codes.length} reasons
        </span>
        <span className="col-[2/-1] text-[0.94rem] text-pretty text-soft">{about}</span>
      </summary>
      {codes.map((code) => (
        <Reason entry={entryOf(code)} key={code} />
      ))}
    </details>
  )
}

function entryOf(code: string): ErrorCatalogEntry {
  const entry = errorCatalog.find((one) => one.code === code)
  if (!entry) throw new Error(`there is no reason ${code}`)
  return entry
}

function Reason({ entry: { code, cause, remedy, places, statuses } }: { entry: ErrorCatalogEntry }) {
  return (
    <article
      className="mx-[1.1rem] grid gap-2 border-t py-[0.95rem] target:mx-[0.3rem] target:rounded-[10px] target:bg-wash target:px-[0.8rem]"
      id={anchorOf(code)}
      data-words={`${code} ${cause} ${remedy} ${statuses.join(' ')}`.toLowerCase()}
    >
      <h4 className="flex flex-wrap items-center gap-x-[0.55rem] gap-y-1 text-[0.98rem] font-semibold">
        <a className="wrap-anywhere text-inherit no-underline hover:underline" href={`#${anchorOf(code)}`}>
          <code>{code}</code>
        </a>
        {statuses.map((status) => (
          <Tag key={status}>{status}</Tag>
        ))}
        <span className="text-[0.92rem] font-normal text-soft">{places.map((place) => PLACES[place]).join(', ')}</span>
      </h4>
      <dl className="grid gap-x-[0.9rem] text-[0.95rem] min-[42rem]:grid-cols-[5.6rem_minmax(0,1fr)] min-[42rem]:gap-y-[0.2rem]">
        <dt className={LABEL}>Meaning</dt>
        <dd className="wrap-anywhere">
          <Prose text={cause} />
        </dd>
        <dt className={cx(LABEL, 'max-[42rem]:pt-[0.35rem]')}>What to do</dt>
        <dd className="wrap-anywhere">
          <Prose text={remedy} />
        </dd>
      </dl>
    </article>
  )
}
