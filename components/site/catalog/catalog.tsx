import type { CatalogQuery, CatalogView } from '@/server/discovery/present'
import { EntryTable } from './entries'
import { CatalogFrame } from './frame'
import { Narrow } from './narrow'
import { Search } from './search'
import { Unchecked } from './unchecked'
import { catalogUrl } from './url'

type Props = { asked: CatalogQuery; view: CatalogView | { refused: string } }

/** The catalog, as it was asked for. */
export function Catalog({ asked, view }: Props) {
  return (
    <CatalogFrame>
      <main id="text">
        <header className="intro">
          <h1>Catalog</h1>
          <p className="lead">Paid APIs, without an account. Each was paid at least once in the last 90 days.</p>
          <a className="button plain" href="/docs/catalog">
            List your endpoint
          </a>
        </header>
        <Search asked={asked} />
        <Narrow asked={asked} />
        {'refused' in view ? <Refused message={view.refused} /> : <Entries asked={asked} view={view} />}
        <Unchecked />
      </main>
    </CatalogFrame>
  )
}

function Entries({ asked, view }: { asked: CatalogQuery; view: CatalogView }) {
  const { items, before, next } = view
  if (items.length === 0) return <NoResults asked={asked} />
  return (
    <>
      <p className="muted count">{countText(asked, view)}</p>
      <EntryTable items={items} environment={asked.environment} />
      {before === null && next === null ? null : (
        <nav className="pages" aria-label="Pages">
          {before === null ? null : (
            <a className="button plain small" href={catalogUrl({ ...asked, from: before })} rel="prev">
              Previous
            </a>
          )}
          <span className="muted">
            {(asked.from + 1).toLocaleString('en')} to {(asked.from + items.length).toLocaleString('en')}
          </span>
          {next === null ? null : (
            <a className="button plain small" href={catalogUrl({ ...asked, from: next })} rel="next">
              Next
            </a>
          )}
        </nav>
      )}
    </>
  )
}

function countText({ words }: CatalogQuery, { total, more }: CatalogView): string {
  const count = `${total.toLocaleString('en')}${more ? '+' : ''} ${total === 1 ? 'resource' : 'resources'}`
  return words === '' ? count : `${count} for “${words}”, best match first`
}

function Refused({ message }: { message: string }) {
  return (
    <section className="nothing" role="alert">
      <h2>The catalog could not be read</h2>
      <p className="muted">{message}</p>
      <p>
        <a href="/catalog">Try again</a>
      </p>
    </section>
  )
}

function NoResults({ asked: { words, network, asset, price, environment } }: { asked: CatalogQuery }) {
  const narrowed = words !== '' || [network, asset, price].some((chosen) => chosen !== null)
  return (
    <section className="nothing">
      <h2>{narrowed ? 'No matching resources' : 'No resources yet'}</h2>
      <p className="muted">
        {narrowed
          ? 'Try other words, another network or token, or a higher price.'
          : 'The first successful payment lists a resource that declares itself.'}
      </p>
      <p className="actions">
        {narrowed ? (
          <a className="button" href={`/catalog?environment=${environment}`}>
            Show all
          </a>
        ) : (
          <a className="button" href="/docs/catalog">
            List your endpoint
          </a>
        )}
        {environment === 'mainnet' ? <a href="/catalog?environment=testnet">Look at the test networks</a> : null}
      </p>
    </section>
  )
}
