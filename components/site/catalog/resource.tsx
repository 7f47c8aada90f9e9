import type { ReactNode } from 'react'
import { callOf, type ShownItem } from '@/server/discovery/present'
import { Breaking } from '../../ui/breaking'
import { CopyButton } from '../../ui/copy-button'
import { CallsChart } from './calls-chart'
import { Declared } from './declared'
import { figureTexts } from './figures'
import { HowToPay } from './how-to-pay'
import { isTemplate, minuteOf, placeOf, sinceText } from './text'
import { Unchecked } from './unchecked'

/** The catalog page of a resource. Merchant text is plain text; none of its links or images load. */
export function Resource({ item, ...extras }: ShownItem) {
  const { resource, serviceName, description, mimeType, tags = [], x402Version, lastUpdated } = item
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
          {isTemplate(resource) ? (
            <code>
              <Breaking text={resource} />
            </code>
          ) : (
            <a href={resource} rel="nofollow noreferrer ugc">
              <code>
                <Breaking text={resource} />
              </code>
            </a>
          )}
          <CopyButton text={resource} />
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
        <Usage {...extras} lastPaid={lastUpdated} />
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

type UsageProps = Omit<ShownItem, 'item'> & { lastPaid: string }

function Usage({ figures, isNew, days, lastPaid }: UsageProps) {
  const texts = figureTexts(figures)
  return (
    <section className="part" aria-labelledby="activity">
      <h2 id="activity">Last 30 days {isNew ? <span className="tag live">New</span> : null}</h2>
      <div className="activity">
        {days === null ? null : (
          <div className="activity-chart">
            <p>
              <span>Paid calls a day</span> <span>Peak: {Math.max(...days).toLocaleString('en')}</span>
            </p>
            <CallsChart days={days} className="calls-chart" />
            <p>
              <span>{days.length} days ago</span> <span>Yesterday</span>
            </p>
          </div>
        )}
        <dl className="facts">
          {texts === null ? null : (
            <>
              <Fact name="Paid calls">{texts.calls}</Fact>
              <Fact name="Payers">{texts.payers}</Fact>
              <Fact name="Success rate">{texts.success}</Fact>
              <Fact name="Volume">{texts.volume} USDC</Fact>
            </>
          )}
          <Fact name="Last paid">
            <time dateTime={lastPaid} title={minuteOf(lastPaid)}>
              {sinceText(lastPaid)}
            </time>
          </Fact>
        </dl>
      </div>
      <p className="muted small">
        {figures === null
          ? 'No figures: the merchant keeps no history.'
          : texts === null
            ? 'Figures appear once a day (UTC) with a payment is over.'
            : 'Payments through the merchant’s own keys, on completed days (UTC).'}
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
