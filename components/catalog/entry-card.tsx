import type { CatalogItem } from '@/server/discovery/schemas'
import type { Environment } from '@/server/x402/networks'
import { networksOf, priceOf, titleOfResource, withoutScheme } from './words'

/** A resource in the list: strangers' words as text, and nothing of theirs that is loaded or followed. */
export function EntryCard({ item, environment }: { item: CatalogItem; environment: Environment }) {
  const { resource, serviceName, description, tags = [] } = item
  return (
    <li className="card">
      <h2>
        <a href={`/catalog/resource?${new URLSearchParams({ environment, url: resource })}`}>{titleOfResource(item)}</a>
      </h2>
      {serviceName ? <code className="url">{withoutScheme(resource)}</code> : null}
      <p>{description ?? 'It was not described.'}</p>
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
