import { callCommand, callProgram } from '@/app/docs/programs/discovery'
import { callOf } from '@/server/discovery/present'
import type { CatalogItem } from '@/server/discovery/schemas'
import { isNetworkId, networks } from '@/server/x402/networks'
import { CopyButton } from '../copy-button'
import { titleOf } from '../settlements/explorer'
import { Snippet } from '../snippet'
import { usdc } from '../ui/figures'
import { minuteOf, priceOf, resourceTitle } from './text'

/** The catalog page of a resource. Merchant text is plain text; none of its links or images load. */
export function Resource({ item }: { item: CatalogItem }) {
  const { resource, description, mimeType, tags = [], lastUpdated, x402Version } = item
  const call = callOf(item)
  const family = familyOf(item)
  return (
    <article className="resource">
      <p className="muted">
        <a href="/catalog">Catalog</a>
      </p>
      <header className="intro">
        <h1>{resourceTitle(item)}</h1>
        <p className="lead">{description ?? 'No description.'}</p>
        <p>
          <a href={resource} rel="nofollow noreferrer ugc">
            <code className="url">{resource}</code>
          </a>
        </p>
      </header>
      <dl className="facts">
        <Fact name="Price" text={priceOf(item)} />
        <Fact name="Call" text={`${call.method}${mimeType ? `, returns ${mimeType}` : ''}`} />
        <Fact name="Last paid" text={minuteOf(lastUpdated)} />
        <Fact name="Protocol" text={`x402, version ${x402Version}`} />
        {tags.length > 0 ? <Fact name="Tags" text={tags.join(', ')} /> : null}
      </dl>
      <section className="part">
        <h2>How to pay</h2>
        <ul className="ways">
          {item.accepts.map((accept) => (
            <li key={accept.network}>
              <strong>{usdc(accept.maxAmountRequired)} USDC</strong> on {titleOf(accept.network)} to{' '}
              <code className="url">{accept.payTo}</code> <CopyButton text={accept.payTo} />
            </li>
          ))}
        </ul>
      </section>
      <section className="part">
        <h2>How to call it</h2>
        <p className="muted">
          The first response is 402 with the price; the client signs a transfer and retries.
          {resource.includes('/:') ? ' Replace the parts that begin with a colon.' : ''}
        </p>
        <Snippet code={callProgram(call, family)} name="With @x402/fetch" />
        <Snippet code={callCommand(call)} name="By hand: the price" />
      </section>
      <Declared item={item} />
    </article>
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
