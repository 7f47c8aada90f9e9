import type { CatalogItem } from '@/server/http/schemas/discovery'
import type { Environment } from '@/server/x402/environments'
import { networksOf, priceOf, titleOfResource, withoutScheme } from './words'

/** A resource in the list: strangers' words as text, and nothing of theirs that is loaded or followed. */
export function EntryCard({ item, environment }: { item: CatalogItem; environment: Environment }) {
  const { resource, description, tags = [] } = item
  return (
    <li className="card">
      <header>
        <h2>
          <a href={`/catalog/resource?${new URLSearchParams({ environment, url: resource })}`}>{titleOfResource(item)}</a>
        </h2>
        <span className="price">{priceOf(item)}</span>
      </header>
      <code className="url">{withoutScheme(resource)}</code>
      <p>{description ?? 'It was not described.'}</p>
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
    </li>
  )
}
