import { CATALOG_PRICES, CATALOG_SORTS, type CatalogQuery } from '@/server/discovery/present'
import { symbolsOn, USDC } from '@/server/x402/networks/assets'
import { environments, networksIn, networkTitle } from '@/server/x402/networks/networks'
import { environmentTitles } from '../../client/environment'
import { ClosingChoices } from './closing-choices'
import { catalogUrl } from './url'

const SORTS = { seen: 'Last paid', volume: 'Volume', new: 'Newest' } as const satisfies Record<
  (typeof CATALOG_SORTS)[number],
  string
>

/** The filters and orders of the list, as links: they work without scripts and stay in the address. A search has its own order. */
export function Narrow({ asked }: { asked: CatalogQuery }) {
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
  const groups = (
    <>
      <Choices label="Network" asked={asked} choices={networks} />
      {symbols.length > 1 ? <Choices label="Token" asked={asked} choices={tokens} /> : null}
      <Choices label="Price up to" unit={asked.asset ?? USDC.symbol} asked={asked} choices={prices} />
      {asked.words === '' ? <Choices label="Sort by" asked={asked} choices={sorts} /> : null}
    </>
  )
  return (
    <div className="narrow">
      <nav aria-label="Environment">
        <Switch asked={asked} choices={sides} />
      </nav>
      <div className="narrow-wide">{groups}</div>
      <details className="narrow-phone">
        <summary className="unfolds">{chosenIn(asked).join(' · ') || 'Filters'}</summary>
        <div>{groups}</div>
      </details>
      <ClosingChoices />
    </div>
  )
}

/** What a reader chose, in words: it stays on a phone's screen while the choices are folded. */
function chosenIn({ network, asset, price, sort, words }: CatalogQuery): string[] {
  return [
    ...(network === null ? [] : [networkTitle(network)]),
    ...(price === null ? (asset === null ? [] : [asset]) : [`Up to ${price} ${asset ?? USDC.symbol}`]),
    ...(sort === 'seen' || words !== '' ? [] : [`By ${SORTS[sort].toLowerCase()}`]),
  ]
}

type Choice = { text: string; to: CatalogQuery }
type SwitchProps = { asked: CatalogQuery; choices: Choice[] }

/** More choices than these do not fit into a row beside the others. */
const SIDE_BY_SIDE_MAX = 5

function Choices({ label, unit, ...choices }: SwitchProps & { label: string; unit?: string }) {
  return (
    <nav aria-label={label}>
      <span>{label}</span>
      {choices.choices.length > SIDE_BY_SIDE_MAX ? <Menu {...choices} /> : <Switch {...choices} />}
      {unit ? <span>{unit}</span> : null}
    </nav>
  )
}

function Switch(choices: SwitchProps) {
  return (
    <span className="switch">
      {linksOf(choices).map((link) => (
        <ChoiceLink key={link.href} {...link} />
      ))}
    </span>
  )
}

/** Many choices, behind the one that is chosen. The browser keeps at most one such list open. */
function Menu(choices: SwitchProps) {
  const links = linksOf(choices)
  return (
    <details className="choice-menu" name="choices">
      <summary className="unfolds">{links.find(({ chosen }) => chosen)?.text ?? 'Choose'}</summary>
      <ul>
        {links.map((link) => (
          <li key={link.href}>
            <ChoiceLink {...link} />
          </li>
        ))}
      </ul>
    </details>
  )
}

type LinkProps = { text: string; href: string; chosen: boolean }

function ChoiceLink({ text, href, chosen }: LinkProps) {
  return (
    <a href={href} aria-current={chosen ? 'true' : undefined}>
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
