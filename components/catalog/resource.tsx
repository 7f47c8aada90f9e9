import { callCommand, callProgram } from '@/app/docs/programs/discovery'
import { callOf } from '@/server/discovery/present'
import type { CatalogItem } from '@/server/discovery/schemas'
import { isNetworkId, networks } from '@/server/x402/networks'
import { CopyButton } from '../copy-button'
import { titleOf } from '../settlements/explorer'
import { Snippet } from '../snippet'
import { usdc } from '../ui/figures'
import { minuteOf, priceOf, titleOfResource } from './words'

/** All that the catalog has of a resource. What strangers wrote is text: it is not rendered, loaded or followed for anybody. */
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
        <h1>{titleOfResource(item)}</h1>
        <p className="lead">{description ?? 'It was not described.'}</p>
        <p>
          <a href={resource} rel="nofollow noreferrer ugc">
            <code className="url">{resource}</code>
          </a>
        </p>
      </header>
      <dl className="facts">
        <Fact name="Price" text={priceOf(item)} />
        <Fact name="Call" text={`${call.method}${mimeType ? `, answers ${mimeType}` : ''}`} />
        <Fact name="Last paid for" text={minuteOf(lastUpdated)} />
        <Fact name="Protocol" text={`x402, version ${x402Version}`} />
        {tags.length > 0 ? <Fact name="Tags" text={tags.join(', ')} /> : null}
      </dl>
      <section className="part">
        <h2>How it is paid</h2>
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
          The first answer is 402 with the price; the client signs a transfer and asks again.
          {resource.includes('/:') ? ' Fill in what begins with a colon.' : ''}
        </p>
        <Snippet code={callProgram(call, family)} name="With @x402/fetch" />
        <Snippet code={callCommand(call)} name="By hand: what does it cost?" />
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
      <h2>What its merchant declared</h2>
      {info === null ? null : <Snippet code={info} name="What it takes and gives" />}
      {schema === null ? null : (
        <details>
          <summary>Its JSON Schema</summary>
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
