import type { ReactNode } from 'react'
import { callOf } from '@/server/discovery/present'
import type { Figures } from '@/server/discovery/queries'
import type { CatalogItem } from '@/server/discovery/schemas'
import { Declared } from './declared'
import { figureTexts } from './figures'
import { HowToPay } from './how-to-pay'
import { minuteOf, placeOf, sinceText } from './text'
import { Unchecked } from './unchecked'

/** The catalog page of a resource. Merchant text is plain text; none of its links or images load. */
export function Resource({ item, figures }: { item: CatalogItem; figures: Figures | null }) {
  const { resource, serviceName, description, mimeType, tags = [], lastUpdated, x402Version } = item
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
        <Usage figures={figures}>
          <Fact name="Last paid">
            <time dateTime={lastUpdated} title={minuteOf(lastUpdated)}>
              {sinceText(lastUpdated)}
            </time>
          </Fact>
        </Usage>
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

function Usage({ figures, children }: { figures: Figures | null; children: ReactNode }) {
  const texts = figureTexts(figures)
  return (
    <section className="part">
      <h2>Last 30 days</h2>
      <dl className="facts">
        {texts ? (
          <>
            <Fact name="Paid calls">{texts.calls}</Fact>
            <Fact name="Payers">{texts.payers}</Fact>
            <Fact name="Success rate">{texts.success}</Fact>
            <Fact name="Volume">{texts.volume}</Fact>
          </>
        ) : null}
        {children}
      </dl>
      <p className="muted small">
        {figures === null
          ? 'The merchant keeps no history, so there are no figures.'
          : texts
            ? 'Payments through the merchant’s own keys, on completed days (UTC).'
            : 'No payments in completed days. Figures start after the first full UTC day.'}
      </p>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
