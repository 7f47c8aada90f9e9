import { CATALOG_PRICES, CATALOG_SORTS, type CatalogQuery } from '@/server/discovery/present'
import { symbolsOn, USDC } from '@/server/x402/networks/assets'
import { environments, networksIn, networkTitle } from '@/server/x402/networks/networks'
import { environmentTitles } from '../../client/environment'
import { cx } from '../../ui/class-names'
import { ClosingChoices } from './closing-choices'
import { catalogUrl } from './url'

const SORTS = { volume: 'Volume', seen: 'Last paid', new: 'Newest' } as const satisfies Record<
  (typeof CATALOG_SORTS)[number],
  string
>

/** The filters and orders of the list, as links: they work without scripts and stay in the address. A search has one order. */
export function Narrow({ asked, tags = [] }: { asked: CatalogQuery; tags?: readonly string[] }) {
  const sides = environments.map((environment) => ({
    text: environmentTitles[environment],
    to: environment === asked.environment ? asked : { ...asked, environment, network: null },
  }))
  const networks = [null, ...networksIn(asked.environment)].map((network) => ({
    text: network === null ? 'All' : networkTitle(network),
    to: { ...asked, network },
  }))
  const prices = [null, ...CATALOG_PRICES].map((price) => ({ text: price ?? 'Any', to: { ...asked, price } }))
  const symbols = symbolsOn(networksIn(asked.environment))
  const tokens = [null, ...symbols].map((asset) => ({ text: asset ?? 'All', to: { ...asked, asset } }))
  const sorts = CATALOG_SORTS.map((sort) => ({ text: SORTS[sort], to: { ...asked, sort } }))
  const named = [null, ...new Set([...(asked.tag === null ? [] : [asked.tag]), ...tags])]
  const tagged = named.map((tag) => ({ text: tag ?? 'All', to: { ...asked, tag } }))
  const sort = asked.words === '' ? <Choices label="Sort by" asked={asked} choices={sorts} /> : null
  const groups = (
    <>
      <Choices label="Network" asked={asked} choices={networks} />
      {symbols.length > 1 ? <Choices label="Token" asked={asked} choices={tokens} /> : null}
      <Choices label="Price up to" unit={asked.asset ?? USDC.symbol} asked={asked} choices={prices} />
      {tagged.length > 1 ? <Choices label="Tag" asked={asked} choices={tagged} menu /> : null}
    </>
  )
  return (
    <div className="flex flex-wrap gap-x-[1.1rem] gap-y-[0.6rem] pt-[0.9rem] max-lg:relative phone:gap-x-[0.6rem]">
      <nav
        aria-label="Environment"
        className={cx(GROUP, asked.environment === 'testnet' && '**:aria-[current]:bg-warn-wash **:aria-[current]:text-warn')}
      >
        <Switch asked={asked} choices={sides} />
      </nav>
      <div className="contents max-lg:hidden">{groups}</div>
      <details data-choices className="min-w-0 lg:hidden phone:flex-[1_1_10rem]">
        <summary className={CHOSEN}>{chosenIn(asked).join(' · ') || 'Filters'}</summary>
        <div className={cx(FLOATING, 'absolute inset-x-0 top-[calc(100%+0.4rem)] grid gap-[0.8rem] p-[0.9rem]')}>
          {groups}
          <div className="not-phone:hidden">{sort}</div>
        </div>
      </details>
      <div className="ml-auto phone:hidden">{sort}</div>
      <ClosingChoices />
    </div>
  )
}

const GROUP = 'flex items-center gap-[0.55rem] text-[0.85rem] whitespace-nowrap text-soft'

/** The classes of the line that says what is chosen, and of the choices that it unfolds. */
const CHOSEN =
  'unfolds flex items-center rounded-lg border bg-card max-lg:justify-between max-lg:min-h-[2.3rem] phone:min-h-[calc(2.75rem+2px)] max-lg:gap-[0.6rem] max-lg:px-[0.85rem] max-lg:py-[0.3rem] max-lg:text-[0.9rem] max-lg:leading-[1.35]'
const FLOATING = 'z-10 rounded-[10px] border bg-raised shadow-[0_12px_32px_rgb(0_0_0/0.18)]'

/** What a reader chose, in words: it stays on a phone's screen while the choices are folded. */
function chosenIn({ network, asset, price, tag, sort, words }: CatalogQuery): string[] {
  return [
    ...(network === null ? [] : [networkTitle(network)]),
    ...(price === null ? (asset === null ? [] : [asset]) : [`Up to ${price} ${asset ?? USDC.symbol}`]),
    ...(tag === null ? [] : [tag]),
    ...(sort === 'volume' || words !== '' ? [] : [`By ${SORTS[sort].toLowerCase()}`]),
  ]
}

type Choice = { text: string; to: CatalogQuery }
type SwitchProps = { asked: CatalogQuery; choices: Choice[] }

/** More choices than these do not fit into a row beside the others. */
const SIDE_BY_SIDE_MAX = 5

type ChoicesProps = SwitchProps & {
  label: string
  unit?: string
  /** Their texts may be long, or many. */
  menu?: boolean
}

function Choices({ label, unit, menu = false, ...choices }: ChoicesProps) {
  return (
    <nav aria-label={label} className={cx(GROUP, 'phone:flex-wrap phone:gap-y-[0.3rem]')}>
      <span className="phone:w-full">{label}</span>
      {menu || choices.choices.length > SIDE_BY_SIDE_MAX ? <Menu {...choices} /> : <Switch {...choices} />}
      {unit ? <span>{unit}</span> : null}
    </nav>
  )
}

function Switch(choices: SwitchProps) {
  return (
    <span className="inline-flex rounded-lg border bg-card p-0.5">
      {linksOf(choices).map((link) => (
        <ChoiceLink
          key={link.href}
          {...link}
          className={cx('px-2.5 leading-[1.85rem] whitespace-nowrap phone:px-3', !link.chosen && 'text-soft hover:text-ink')}
        />
      ))}
    </span>
  )
}

/** Many choices, behind the one that is chosen. The browser keeps at most one such list open. */
function Menu(choices: SwitchProps) {
  const links = linksOf(choices)
  return (
    <details data-choices name="choices" className="relative phone:w-full">
      <summary className={cx(CHOSEN, 'gap-[0.7rem] px-3 leading-[2.1rem] text-ink')}>
        {links.find(({ chosen }) => chosen)?.text ?? 'Choose'}
      </summary>
      <ul
        className={cx(
          FLOATING,
          'absolute top-[calc(100%+0.3rem)] left-0 max-h-[min(24rem,60vh)] overflow-y-auto p-[0.35rem] phone:static phone:mt-[0.3rem] phone:max-h-56 phone:shadow-none',
        )}
      >
        {links.map((link) => (
          <li key={link.href}>
            <ChoiceLink
              {...link}
              className={cx('block pr-[1.4rem] pl-[0.65rem] leading-8', !link.chosen && 'text-ink hover:bg-code')}
            />
          </li>
        ))}
      </ul>
    </details>
  )
}

type LinkProps = { text: string; href: string; chosen: boolean }

function ChoiceLink({ text, href, chosen, className }: LinkProps & { className: string }) {
  return (
    <a
      href={href}
      aria-current={chosen ? 'true' : undefined}
      className={cx('rounded-md no-underline phone:leading-10', chosen && 'bg-wash font-medium text-accent', className)}
    >
      {text}
    </a>
  )
}

function linksOf({ asked, choices }: SwitchProps): LinkProps[] {
  const shown = catalogUrl({ ...asked, from: 0 })
  return choices.map(({ text, to }) => {
    const href = catalogUrl({ ...to, from: 0 })
    return { text, href, chosen: href === shown }
  })
}
