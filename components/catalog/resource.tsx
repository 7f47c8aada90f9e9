import { callOf } from '@/server/discovery/present'
import type { Figures } from '@/server/discovery/queries'
import type { CatalogItem } from '@/server/discovery/schemas'
import { Declared } from './declared'
import { figureTexts } from './figures'
import { HowToPay } from './how-to-pay'
import { placeOf } from './text'
import { Unchecked } from './unchecked'

/** The catalog page of a resource. Merchant text is plain text; none of its links or images load. */
export function Resource({ item, figures }: { item: CatalogItem; figures: Figures | null }) {
  const { resource, serviceName, description, mimeType, tags = [], x402Version } = item
  const { host, path } = placeOf(resource)
  return (
    <article className="resource">
      <header className="resource-head">
        <p className="muted">
          <a href="/catalog">Catalog</a> / {host}
        </p>
        <h1>{serviceName ?? (path || host)}</h1>
        <p className="lead">{description ?? 'No description.'}</p>
        <p className="address">
          <span className="method">{callOf(item).method}</span>
          <a href={resource} rel="nofollow noreferrer ugc">
            <code>{resource}</code>
          </a>
        </p>
        {tags.length > 0 ? (
          <ul className="tags" aria-label="Tags">
            {tags.map((tag) => (
              <li key={tag} className="tag">
                {tag}
              </li>
            ))}
          </ul>
        ) : null}
      </header>
      <HowToPay item={item} />
      <div className="resource-text">
        <Usage figures={figures} />
        <Declared item={item} />
        <p className="muted small">
          x402 version {x402Version}
          {mimeType ? `, returns ${mimeType}` : ''}
        </p>
        <Unchecked />
      </div>
    </article>
  )
}

function Usage({ figures }: { figures: Figures | null }) {
  const texts = figureTexts(figures)
  if (texts === null) return null
  return (
    <section className="part">
      <h2>Last 30 days</h2>
      <dl className="facts">
        <Fact name="Paid calls" text={texts.calls} />
        <Fact name="Payers" text={texts.payers} />
        <Fact name="Success rate" text={texts.success} />
        <Fact name="Volume" text={texts.volume} />
      </dl>
      <p className="muted small">Payments through the merchant’s own keys, on completed days (UTC).</p>
    </section>
  )
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </div>
  )
}
