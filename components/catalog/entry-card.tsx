import type { Figures } from '@/server/discovery/queries'
import type { CatalogItem } from '@/server/discovery/schemas'
import type { Environment } from '@/server/x402/networks'
import { withoutScheme } from '../settlements/explorer'
import { ago } from '../ui/dates'
import { FigureLine } from './figures'
import { minuteOf, networksOf, priceOf, resourceTitle } from './text'

/** A resource in the list. Merchant text is plain text; none of its links or images load. */
export function EntryCard({
  item,
  figures,
  environment,
}: {
  item: CatalogItem
  figures: Figures | null
  environment: Environment
}) {
  const { resource, serviceName, description, tags = [], lastUpdated } = item
  return (
    <li className="card">
      <h2>
        <a href={`/catalog/resource?${new URLSearchParams({ environment, url: resource })}`}>{resourceTitle(item)}</a>
      </h2>
      {serviceName ? <code className="url">{withoutScheme(resource)}</code> : null}
      <p>{description ?? 'No description.'}</p>
      <FigureLine figures={figures} />
      <div className="foot-line">
        <span className="price">{priceOf(item)}</span>
        <span className="muted small">
          Paid{' '}
          <time dateTime={lastUpdated} title={minuteOf(lastUpdated)}>
            {ago(new Date(lastUpdated), new Date(), 'UTC')}
          </time>
        </span>
        <ul className="tags" aria-label="Networks and tags">
          {networksOf(item).map((network) => (
            <li key={network} className="tag live">
              {network}
            </li>
          ))}
          {tags.map((tag) => (
            <li key={tag} className="tag">
              {tag}
            </li>
          ))}
        </ul>
      </div>
    </li>
  )
}
