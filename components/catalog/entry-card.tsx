import type { CatalogItem } from '@/server/discovery/schemas'
import type { Environment } from '@/server/x402/networks'
import { withoutScheme } from '../settlements/explorer'
import { networksOf, priceOf, resourceTitle } from './text'

/** A resource in the list. Merchant text is plain text; none of its links or images load. */
export function EntryCard({ item, environment }: { item: CatalogItem; environment: Environment }) {
  const { resource, serviceName, description, tags = [] } = item
  return (
    <li className="card">
      <h2>
        <a href={`/catalog/resource?${new URLSearchParams({ environment, url: resource })}`}>{resourceTitle(item)}</a>
      </h2>
      {serviceName ? <code className="url">{withoutScheme(resource)}</code> : null}
      <p>{description ?? 'No description.'}</p>
      <div className="foot-line">
        <span className="price">{priceOf(item)}</span>
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
