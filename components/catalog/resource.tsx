import { callCommand, callProgram, payerSetup } from '@/app/docs/programs/discovery'
import { callOf } from '@/server/discovery/present'
import type { Figures } from '@/server/discovery/queries'
import type { CatalogItem } from '@/server/discovery/schemas'
import { isNetworkId, networks } from '@/server/x402/networks'
import { Code } from '../code/code'
import { titleOf } from '../settlements/explorer'
import { Snippet } from '../snippet'
import { usdc } from '../ui/figures'
import { figureTexts } from './figures'
import { minuteOf, priceOf, resourceTitle } from './text'
import { Unchecked } from './unchecked'

/** The catalog page of a resource. Merchant text is plain text; none of its links or images load. */
export function Resource({ item, figures }: { item: CatalogItem; figures: Figures | null }) {
  const { resource, description, mimeType, tags = [], lastUpdated, x402Version } = item
  const call = callOf(item)
  return (
    <article className="resource">
      <p className="muted">
        <a href="/catalog">← Catalog</a>
      </p>
      <header className="intro">
        <h1>{resourceTitle(item)}</h1>
        <p className="lead">{description ?? 'No description.'}</p>
        <Unchecked />
        <p>
          <a href={resource} rel="nofollow noreferrer ugc">
            <code className="url">{resource}</code>
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
      <dl className="facts">
        <Fact name="Price" text={priceOf(item)} />
        <Fact name="Call" text={`${call.method}${mimeType ? `, returns ${mimeType}` : ''}`} />
        <Fact name="Last paid" text={minuteOf(lastUpdated)} />
        <Fact name="Protocol" text={`x402, version ${x402Version}`} />
      </dl>
      <Usage figures={figures} />
      <section className="part">
        <h2>How to call it</h2>
        <p className="muted">
          The first response is 402 with the price; the client signs a transfer and retries.
          {resource.includes('/:') ? ' Replace the parts that begin with a colon.' : ''}
        </p>
        <Code code={payerSetup(familyOf(item))} rest={callProgram(call)} name="With @x402/fetch" language="typescript" />
        <Snippet code={callCommand(call)} name="Check the price with curl" />
      </section>
      <section className="part">
        <h2>Accepted payments</h2>
        <ul className="ways">
          {item.accepts.map((accept) => (
            <li key={accept.network}>
              <strong>{usdc(accept.maxAmountRequired)} USDC</strong> on {titleOf(accept.network)} to{' '}
              <code className="url">{accept.payTo}</code>
            </li>
          ))}
        </ul>
      </section>
      <Declared item={item} />
    </article>
  )
}

function Usage({ figures }: { figures: Figures | null }) {
  return (
    <section className="part">
      <h2>Last 30 days</h2>
      {figures === null ? (
        <p className="muted">The merchant keeps no history, so there are no figures.</p>
      ) : figures.tries === 0 ? (
        <p className="muted">No payments in completed days. Figures start after the first full UTC day.</p>
      ) : (
        <>
          <dl className="facts">
            {figureTexts(figures).map(({ name, text }) => (
              <Fact key={name} name={name} text={text} />
            ))}
          </dl>
          <p className="muted small">Payments through the merchant’s own keys, on completed days (UTC).</p>
        </>
      )}
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

function Declared({ item: { extensions, accepts } }: { item: CatalogItem }) {
  const info = written(extensions?.bazaar.info ?? accepts[0]?.outputSchema)
  const schema = written(extensions?.bazaar.schema)
  if (info === null && schema === null) return null
  return (
    <section className="part">
      <h2>Declared by the merchant</h2>
      {info === null ? null : <Snippet code={info} name="Input and output" />}
      {schema === null ? null : (
        <details>
          <summary>JSON Schema</summary>
          <Snippet code={schema} name="JSON Schema" />
        </details>
      )}
    </section>
  )
}

const written = (json: object | undefined) => (json && Object.keys(json).length > 0 ? JSON.stringify(json, null, 2) : null)

function familyOf({ accepts }: CatalogItem): 'evm' | 'svm' {
  const [network] = accepts.map((accept) => accept.network).filter(isNetworkId)
  return network ? networks[network].family : 'evm'
}
