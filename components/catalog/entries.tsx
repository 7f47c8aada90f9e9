import type { ReactNode } from 'react'
import { callOf, type ShownItem } from '@/server/discovery/present'
import type { Environment } from '@/server/x402/networks'
import { figureTexts } from './figures'
import { minuteOf, networksOf, placeOf, priceOf, sinceText } from './text'

/** The table of a part of the catalog; a card for each resource on a phone. */
export function EntryTable({ items, environment }: { items: readonly ShownItem[]; environment: Environment }) {
  return (
    <table className="entries">
      <caption>Volume, calls, payers and success cover the last 30 completed days (UTC).</caption>
      <thead>
        <tr>
          <th scope="col">Resource</th>
          <th scope="col">Price</th>
          <th scope="col">Network</th>
          <th scope="col">Volume</th>
          <th scope="col">Calls</th>
          <th scope="col">Payers</th>
          <th scope="col">Success</th>
          <th scope="col">Last paid</th>
        </tr>
      </thead>
      <tbody>
        {items.map((shown) => (
          <EntryRow key={shown.item.resource} shown={shown} environment={environment} />
        ))}
      </tbody>
    </table>
  )
}

// Merchant text is plain text; none of its links or images load.
function EntryRow({ shown: { item, figures }, environment }: { shown: ShownItem; environment: Environment }) {
  const { resource, serviceName, description, lastUpdated } = item
  const { host, path } = placeOf(resource)
  const texts = figureTexts(figures)
  return (
    <tr>
      <th scope="row">
        <div className="place">
          <span className="method">{callOf(item).method}</span>
          <a className="path" href={`/catalog/resource?${new URLSearchParams({ environment, url: resource })}`} title={resource}>
            {path || host}
          </a>
          <span className="host">{[serviceName, path ? host : null].filter(Boolean).join(' · ')}</span>
        </div>
        <p>{description ?? 'No description.'}</p>
      </th>
      <Cell name="Price" className="price">
        {priceOf(item)}
      </Cell>
      <Cell name="Network">
        {networksOf(item).map((network) => (
          <span key={network} className="network">
            {network}
          </span>
        ))}
      </Cell>
      <Cell name="Volume">{texts?.volume}</Cell>
      <Cell name="Calls">{texts?.calls}</Cell>
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

function Cell({ name, className, children }: { name: string; className?: string; children: ReactNode }) {
  return (
    <td data-name={name} className={children ? className : 'none'}>
      {children ?? '–'}
    </td>
  )
}
