import type { ComponentProps, ReactNode } from 'react'
import { callOf, type ShownItem } from '@/server/discovery/present'
import { USDC } from '@/server/x402/networks/assets'
import type { Environment } from '@/server/x402/networks/networks'
import { Aligned, placesOf } from '../../ui/figures'
import { CallsChart } from './calls-chart'
import { figureTexts } from './figures'
import { lowestOf, minuteOf, networksOf, placeOf, sinceText } from './text'

/** The table of a part of the catalog; a card for each resource on a phone. */
export function EntryTable({ items, environment }: { items: readonly ShownItem[]; environment: Environment }) {
  const prices = items.flatMap(({ item }) => lowestOf(item))
  const columns: Columns = {
    price: placesOf(prices),
    volume: placesOf(items.flatMap(({ figures }) => (figures ? [{ atomic: figures.volume, decimals: USDC.decimals }] : []))),
    mixed: prices.some(({ symbol }) => symbol !== prices[0]?.symbol),
  }
  return (
    <table className={`entries card-rows${columns.mixed ? ' mixed' : ''}`}>
      <caption>
        Volume, paid calls, payers and success cover the last 30 completed days (UTC).
        {items.some(({ figures }) => figureTexts(figures) === null) ? ' New APIs, and merchants without history, have none.' : ''}
      </caption>
      <thead>
        <tr>
          <th scope="col">Resource</th>
          <th scope="col">{columns.mixed ? 'Price' : `Price, ${prices[0]?.symbol ?? USDC.symbol}`}</th>
          {columns.mixed ? <th scope="col">Token</th> : null}
          <th scope="col">Network</th>
          <th scope="col">Daily calls</th>
          <th scope="col">Volume, USDC</th>
          <th scope="col">Paid calls</th>
          <th scope="col">Payers</th>
          <th scope="col">Success</th>
          <th scope="col">Last paid</th>
        </tr>
      </thead>
      <tbody>
        {items.map((shown) => (
          <EntryRow key={shown.item.resource} shown={shown} environment={environment} columns={columns} />
        ))}
      </tbody>
    </table>
  )
}

/** How many decimals the columns of amounts show, and whether prices are in several tokens. */
type Columns = { price: number; volume: number; mixed: boolean }

type RowProps = { shown: ShownItem; environment: Environment; columns: Columns }

// Merchant text is plain text; none of its links or images load.
function EntryRow({ shown: { item, figures, isNew, days }, environment, columns }: RowProps) {
  const { resource, serviceName, description, lastUpdated } = item
  const { host, path } = placeOf(resource)
  const texts = figureTexts(figures)
  const prices = lowestOf(item)
  return (
    <tr>
      <th scope="row">
        <div className="place">
          <span className="method">{callOf(item).method}</span>
          <a className="path" href={`/catalog/resource?${new URLSearchParams({ environment, url: resource })}`} title={resource}>
            {path || host}
          </a>
          {isNew && texts === null ? <span className="tag live">New</span> : null}
          <span className="host">{[serviceName, path ? host : null].filter(Boolean).join(' · ')}</span>
        </div>
        <p>{description ?? 'No description.'}</p>
      </th>
      <Cell name="Price" className="price">
        {prices.length === 0
          ? null
          : prices.map((price) => (
              <span key={price.symbol} className="line">
                <Amount {...price} places={columns.price} />
              </span>
            ))}
      </Cell>
      {columns.mixed ? (
        <Cell name="Token" className="token">
          {prices.map(({ symbol }) => (
            <span key={symbol} className="line">
              {symbol}
            </span>
          ))}
        </Cell>
      ) : null}
      <Cell name="Network">
        <Networks titles={networksOf(item)} />
      </Cell>
      <Cell name="Daily calls" className="trend">
        {days === null || texts === null ? null : <CallsChart days={days} className="calls-chart" />}
      </Cell>
      <Cell name="Volume">
        {figures === null || texts === null ? null : <Amount atomic={figures.volume} {...USDC} places={columns.volume} />}
      </Cell>
      <Cell name="Paid calls">{texts?.calls}</Cell>
      <Cell name="Payers">{texts?.payers}</Cell>
      <Cell name="Success">{texts?.success}</Cell>
      <Cell name="Last paid">
        <time dateTime={lastUpdated} title={minuteOf(lastUpdated)}>
          {sinceText(lastUpdated)}
        </time>
      </Cell>
    </tr>
  )
}

/** A row names at most so many networks; the page of the resource has all. */
const NETWORKS_MAX = 3

function Networks({ titles }: { titles: readonly string[] }) {
  const named = titles.length > NETWORKS_MAX ? titles.slice(0, NETWORKS_MAX - 1) : titles
  return (
    <>
      {named.map((title) => (
        <span key={title} className="line">
          {title}
        </span>
      ))}
      {named.length < titles.length ? (
        <span className="line muted" title={titles.slice(named.length).join(', ')}>
          and {titles.length - named.length} more
        </span>
      ) : null}
    </>
  )
}

type AmountProps = ComponentProps<typeof Aligned> & { symbol: string }

// A wide table has the unit in its head, or in a column of its own.
function Amount({ symbol, ...amount }: AmountProps) {
  return (
    <>
      <Aligned {...amount} />
      <span className="unit"> {symbol}</span>
    </>
  )
}

function Cell({ name, className, children }: { name: string; className?: string; children: ReactNode }) {
  return (
    <td data-name={name} className={children ? className : 'none'}>
      {children ?? '–'}
    </td>
  )
}
