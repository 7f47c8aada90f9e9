import type { ComponentProps, ReactNode } from 'react'
import { callOf, type ShownItem } from '@/server/discovery/present'
import { USDC } from '@/server/x402/networks/assets'
import type { Environment } from '@/server/x402/networks/networks'
import { Tag } from '../../ui/badge'
import { cx } from '../../ui/class-names'
import { Aligned, placesOf } from '../../ui/figures'
import { Marked } from '../../ui/marked'
import { CallsChart } from './calls-chart'
import { figureTexts } from './figures'
import { NOTE, TABLE } from './look'
import { Method } from './method'
import { lowestOf, minuteOf, networksOf, placeOf, readablePath, sinceText, UP_TO } from './text'

/** The table of a part of the catalog; a card for each resource on a phone. */
export function EntryTable({ items, ...shared }: Shared & { items: readonly ShownItem[] }) {
  const prices = items.flatMap(({ item }) => lowestOf(item))
  const columns: Columns = {
    price: placesOf(prices),
    volume: placesOf(items.flatMap(({ figures }) => (figures ? [{ atomic: figures.volume, decimals: USDC.decimals }] : []))),
    mixed: prices.some(({ symbol }) => symbol !== prices[0]?.symbol),
    figures: items.some(({ figures }) => figureTexts(figures) !== null),
  }
  return (
    <>
      <table className={cx(TABLE.whole, 'narrow:block narrow:overflow-visible narrow:border-0 narrow:bg-transparent')}>
        <thead className="narrow:sr-only">
          <tr>
            <Head>Resource</Head>
            <Head isFigure>{columns.mixed ? 'Price' : `Price, ${prices[0]?.symbol ?? USDC.symbol}`}</Head>
            {columns.mixed ? <Head>Token</Head> : null}
            <Head>Network</Head>
            {columns.figures ? (
              <>
                <Head>Daily calls</Head>
                <Head isFigure>Volume, USDC</Head>
                <Head isFigure>Paid calls</Head>
                <Head isFigure>Payers</Head>
                <Head isFigure>Success</Head>
              </>
            ) : null}
            <Head isFigure>Last paid</Head>
          </tr>
        </thead>
        <tbody className="narrow:block">
          {items.map((shown) => (
            <EntryRow key={shown.item.resource} shown={shown} columns={columns} {...shared} />
          ))}
        </tbody>
      </table>
      {columns.figures ? (
        <p className={cx(NOTE, 'pt-[0.8rem] narrow:pt-0')}>
          Figures cover the last 30 completed days (UTC){items.some(isTooNew) ? '; those of new resources start tomorrow' : null}.
          Success: share of valid payments that settled.
        </p>
      ) : null}
    </>
  )
}

function Head({ isFigure = false, children }: { isFigure?: boolean; children: string }) {
  return (
    <th scope="col" className={cx(TABLE.head, isFigure && 'text-right')}>
      {children}
    </th>
  )
}

/** How many decimals the columns of amounts show, whether prices are in several tokens, and whether any row has figures. */
type Columns = { price: number; volume: number; mixed: boolean; figures: boolean }

/** `sought`: the words of the search, which stand out. */
type Shared = { environment: Environment; sought?: string }

type RowProps = Shared & { shown: ShownItem; columns: Columns }

// Merchant text is plain text; none of its links or images load.
function EntryRow({ shown, environment, sought = '', columns }: RowProps) {
  const { item, figures, isNew, days } = shown
  const { resource, serviceName, description, lastUpdated } = item
  const { host, path } = placeOf(resource)
  const texts = figureTexts(figures)
  const prices = lowestOf(item)
  const seller = [serviceName, path ? host : null].filter(Boolean).join(' · ')
  const networks = <Networks titles={networksOf(item)} />
  return (
    // The whole row is the link.
    <tr className={ROW}>
      <th
        scope="row"
        className="w-full max-w-0 narrow:col-span-full narrow:col-start-1 narrow:row-start-1 narrow:w-auto narrow:max-w-none narrow:not-phone:col-end-5"
      >
        <div className={NAME}>
          <Method>{callOf(item).method}</Method>
          <a className={PATH} href={`/catalog/resource?${new URLSearchParams({ environment, url: resource })}`} title={resource}>
            {readablePath(path) || host}
          </a>
          {isNew && texts === null ? <Tag>New</Tag> : null}
          <span className="min-w-0 flex-[1_1_4rem] truncate text-[0.85rem] text-soft narrow:col-span-full narrow:max-w-full narrow:whitespace-normal">
            <Marked text={seller} sought={sought} />
            {texts === null ? (
              <span className="hidden narrow:inline">
                {seller && ' · '}
                {networks} · paid {sinceText(lastUpdated)}
              </span>
            ) : null}
          </span>
        </div>
        <p className="overflow-hidden text-[0.88rem] text-nowrap text-ellipsis text-soft narrow:line-clamp-2 narrow:text-pretty narrow:wrap-anywhere">
          <Marked text={description ?? 'No description.'} sought={sought} />
        </p>
      </th>
      <Cell name="Price">
        {prices.length === 0
          ? null
          : prices.map((price) => (
              <span key={price.symbol} className="block font-semibold">
                <Amount {...price} places={columns.price} />
                <span className="hidden narrow:inline"> {price.symbol}</span>
              </span>
            ))}
      </Cell>
      {columns.mixed ? (
        <Cell name="Token">
          {prices.map(({ symbol }) => (
            <span key={symbol} className="block">
              {symbol}
            </span>
          ))}
        </Cell>
      ) : null}
      <Cell name="Network" isFact={texts !== null}>
        {networks}
      </Cell>
      {!columns.figures ? null : isTooNew(shown) ? (
        FIGURES.map((name) => (
          <Cell key={name} name={name} isFact={false}>
            {null}
          </Cell>
        ))
      ) : texts === null || figures === null ? (
        <td
          colSpan={5}
          className="text-[0.85rem] text-soft phone:hidden narrow:col-span-2 narrow:col-start-5 narrow:row-start-1 narrow:self-end narrow:text-right!"
        >
          {figures === null ? 'The merchant keeps no history' : 'No payments on these days'}
        </td>
      ) : (
        <>
          <Cell name="Daily calls">{days ? <CallsChart days={days} className="h-7 w-28" /> : null}</Cell>
          <Cell name="Volume">
            <Amount atomic={figures.volume} {...USDC} places={columns.volume} />
            <span className="hidden narrow:inline"> {USDC.symbol}</span>
          </Cell>
          <Cell name="Paid calls">{texts.calls}</Cell>
          <Cell name="Payers">{texts.payers}</Cell>
          <Cell name="Success">{texts.success}</Cell>
        </>
      )}
      <Cell name="Last paid" isFact={texts !== null}>
        <time dateTime={lastUpdated} title={minuteOf(lastUpdated)}>
          {sinceText(lastUpdated)}
        </time>
      </Cell>
    </tr>
  )
}

/** Whether a resource is too new for figures. */
const isTooNew = ({ isNew, figures }: ShownItem): boolean => isNew && figures !== null && figureTexts(figures) === null

/** A row names at most so many networks; the page of the resource has all. */
const NETWORKS_MAX = 3

function Networks({ titles }: { titles: readonly string[] }) {
  const named = titles.length > NETWORKS_MAX ? titles.slice(0, NETWORKS_MAX - 1) : titles
  return (
    <>
      {named.map((title) => (
        <span key={title} className="block whitespace-nowrap narrow:inline narrow:not-last:after:content-[',_']">
          {title}
        </span>
      ))}
      {named.length < titles.length ? (
        <span className="block text-soft narrow:inline" title={titles.slice(named.length).join(', ')}>
          and {titles.length - named.length} more
        </span>
      ) : null}
    </>
  )
}

// A wide table has the unit in its head, or in a column of its own.
function Amount({ before = '', ...amount }: ComponentProps<typeof Aligned>) {
  return <Aligned {...amount} before={before === UP_TO ? '≤ ' : before} className="narrow:after:hidden" />
}

// On a narrow screen a row is a card with its price in the corner, and each other cell names itself.
const ROW = cx(
  'group relative hover:bg-code',
  TABLE.row,
  'narrow:mb-3 narrow:grid narrow:not-phone:grid-cols-6 phone:grid-cols-[1.25fr_1.1fr_0.9fr_0.85fr] narrow:gap-x-3 phone:gap-x-2 narrow:gap-y-[0.65rem] narrow:rounded-(--radius) narrow:border narrow:bg-card narrow:px-4 narrow:py-[0.9rem]',
  'narrow:*:border-0 narrow:*:p-0 narrow:*:text-left narrow:*:whitespace-normal narrow:*:first:pl-0 narrow:*:last:pr-0',
  'narrow:*:before:block narrow:*:before:text-[0.78rem] narrow:*:before:font-normal narrow:*:before:text-soft narrow:*:before:content-[attr(data-name)]',
)

// A card leaves room for the price beside the path.
const NAME =
  'flex min-w-0 items-baseline gap-x-[0.55rem] narrow:grid narrow:grid-cols-[auto_minmax(0,auto)_minmax(8.5rem,1fr)] narrow:justify-items-start narrow:gap-y-1'

const PATH =
  "min-w-0 truncate text-[0.97rem] font-semibold tracking-[-0.008em] text-accent no-underline group-hover:underline after:absolute after:inset-0 after:content-[''] narrow:wrap-anywhere narrow:whitespace-normal"

/** The columns, and the places of their cells in a card. */
const COLUMNS = {
  Price:
    'text-right narrow:col-span-full narrow:col-start-1 narrow:row-start-1 narrow:justify-self-end narrow:leading-[1.65] narrow:text-right! narrow:whitespace-nowrap! narrow:before:hidden!',
  Token: 'narrow:hidden',
  Network: 'narrow:-order-3 phone:text-[0.88rem]',
  // Below the price on a tablet.
  'Daily calls':
    'phone:hidden narrow:col-span-2 narrow:col-start-5 narrow:row-start-1 narrow:mt-8 narrow:self-end narrow:justify-self-end narrow:before:hidden!',
  Volume: 'text-right phone:hidden',
  'Paid calls': 'text-right phone:text-[0.88rem]',
  Payers: 'text-right phone:hidden',
  Success: 'text-right narrow:-order-1 phone:text-[0.88rem]',
  'Last paid': 'text-right narrow:-order-2 phone:text-[0.88rem] phone:whitespace-nowrap!',
} as const

const FIGURES = ['Daily calls', 'Volume', 'Paid calls', 'Payers', 'Success'] as const

/** `isFact`: a card shows it with its name. */
type CellProps = { name: keyof typeof COLUMNS; isFact?: boolean; children: ReactNode }

function Cell({ name, isFact = true, children }: CellProps) {
  return (
    <td
      data-name={name}
      className={cx(
        'whitespace-nowrap tabular-nums',
        COLUMNS[name],
        !children && 'text-soft',
        !(children && isFact) && 'narrow:hidden',
      )}
    >
      {children ?? '–'}
    </td>
  )
}
