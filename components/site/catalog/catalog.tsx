import type { CatalogQuery, CatalogView } from '@/server/discovery/present'
import { USDC } from '@/server/x402/networks/assets'
import { environmentTitles } from '../../client/environment'
import { Badge } from '../../ui/badge'
import { cx } from '../../ui/class-names'
import { moneyText } from '../../ui/figures'
import { countedText, ListSummary } from '../../ui/list-summary'
import { EntryTable } from './entries'
import { CatalogFrame } from './frame'
import { BUTTON, LEAD } from './look'
import { Narrow } from './narrow'
import { Nothing, Unread } from './nothing'
import { Search } from './search'
import { Unchecked } from './unchecked'
import { catalogUrl } from './url'

type Props = { asked: CatalogQuery; view: CatalogView | { refused: string } }

/** The catalog, as it was asked for. */
export function Catalog({ asked, view }: Props) {
  const isTest = asked.environment === 'testnet'
  return (
    <CatalogFrame>
      <header className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-[0.3rem] pt-[clamp(0.8rem,2vw,1.6rem)] pb-[1.4rem]">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-title">Catalog</h1>
          {isTest ? <Badge tone="warn">Test</Badge> : null}
        </div>
        <p className={cx(LEAD, 'col-span-full row-start-2')}>
          APIs you can pay for {isTest ? 'with test money' : 'without an account'}. Each was paid in the last 90 days.
        </p>
        <a className={BUTTON.page} href="/docs/catalog">
          List your endpoint
        </a>
      </header>
      <Search asked={asked} />
      <Narrow asked={asked} tags={'refused' in view ? [] : tagsOf(view)} />
      {'refused' in view ? (
        <Unread title="The catalog could not be read" text={view.refused}>
          <a href="/catalog">Try again</a>
        </Unread>
      ) : (
        <Entries asked={asked} view={view} />
      )}
      {'refused' in view || view.items.length === 0 ? null : (
        <div className="pt-[0.4rem]">
          <Unchecked />
        </div>
      )}
    </CatalogFrame>
  )
}

const TAGS_MAX = 12

/** The tags of the shown entries, the most frequent first. */
function tagsOf({ items }: CatalogView): string[] {
  const counts = new Map<string, number>()
  for (const tag of items.flatMap(({ item }) => item.tags ?? [])) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  const sorted = [...counts].toSorted(([one, many], [other, more]) => more - many || one.localeCompare(other, 'en'))
  return sorted.slice(0, TAGS_MAX).map(([tag]) => tag)
}

function Entries({ asked, view }: { asked: CatalogQuery; view: CatalogView }) {
  const { items, before, next } = view
  if (items.length === 0) return <NoResults asked={asked} />
  return (
    <>
      <ListSummary parts={partsOf(asked, view)} className="pt-[1.1rem] pb-[0.6rem] text-balance" />
      <EntryTable items={items} environment={asked.environment} sought={asked.words} />
      {before === null && next === null ? null : (
        <nav className="flex items-center justify-end gap-4 pt-4 text-[0.9rem]" aria-label="Pages">
          {before === null ? null : (
            <a className={BUTTON.page} href={catalogUrl({ ...asked, from: before })} rel="prev">
              Previous
            </a>
          )}
          <span className="text-soft">
            {(asked.from + 1).toLocaleString('en')} to {(asked.from + items.length).toLocaleString('en')}
          </span>
          {next === null ? null : (
            <a className={BUTTON.page} href={catalogUrl({ ...asked, from: next })} rel="next">
              Next
            </a>
          )}
        </nav>
      )}
    </>
  )
}

function partsOf({ words }: CatalogQuery, { total, more, sums }: CatalogView): (string | null)[] {
  const count = countedText(total, 'resource', { more })
  const without = sums?.partial ? ', without the smallest' : ''
  return [
    words === '' ? count : `${count} for “${words}”, best matches first`,
    sums && sums.calls > 0
      ? `${moneyText(sums.volume, USDC).replace(' ', '\u00a0')} from ${countedText(sums.calls, 'paid call')} in 30 days${without}`
      : null,
  ]
}

function NoResults({ asked }: { asked: CatalogQuery }) {
  const { words, environment } = asked
  const others = otherChoices(asked)
  if (words === '' && others.length === 0) {
    return (
      <Nothing title="No resources yet" text="The first successful payment lists a resource that declares itself.">
        <a className={BUTTON.primary} href="/docs/catalog">
          List your endpoint
        </a>
        {environment === 'mainnet' ? <a href="/catalog?environment=testnet">See the test networks</a> : null}
      </Nothing>
    )
  }
  const other = environment === 'mainnet' ? 'testnet' : 'mainnet'
  const found = words === '' ? 'Nothing matches your filters' : `Nothing matches “${words}”`
  const tries = [...(words === '' ? [] : ['a shorter word', "a word from an API's description"]), ...others]
  return (
    <Nothing
      title="No matching resources"
      text={`${found} in ${environmentTitles[environment]}. Try ${new Intl.ListFormat('en', { type: 'disjunction' }).format(tries)}.`}
    >
      <a className={BUTTON.plain} href={`/catalog?environment=${environment}`}>
        {words === '' ? 'Clear filters' : 'Clear search'}
      </a>
      <a href={catalogUrl({ ...asked, environment: other, network: null, from: 0 })}>
        {words === '' ? `Look in ${environmentTitles[other]}` : `Search “${words}” in ${environmentTitles[other]}`}
      </a>
    </Nothing>
  )
}

const otherChoices = ({ network, asset, price, tag }: CatalogQuery): string[] => [
  ...(network === null ? [] : ['another network']),
  ...(asset === null ? [] : ['another token']),
  ...(price === null ? [] : ['a higher price']),
  ...(tag === null ? [] : ['another tag']),
]
