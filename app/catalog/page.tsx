import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { connection } from 'next/server'
import { EntryTable } from '@/components/site/catalog/entries'
import { CatalogFrame } from '@/components/site/catalog/frame'
import { Narrow } from '@/components/site/catalog/narrow'
import { Search } from '@/components/site/catalog/search'
import { Unchecked } from '@/components/site/catalog/unchecked'
import { catalogUrl } from '@/components/site/catalog/url'
import { CATALOG_PITCH } from '@/components/site/pictures/cards'
import { pageMetadata } from '@/components/site/pictures/page-metadata'
import { currentApp } from '@/server/app'
import { type CatalogQuery, type CatalogView, catalogView, readCatalogQuery } from '@/server/discovery/present'
import '@/components/site/catalog/catalog.css'

export const metadata: Metadata = pageMetadata({ title: 'Catalog', description: CATALOG_PITCH, path: '/catalog' })

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function CatalogPage({ searchParams }: Props) {
  // The catalog exists only at run time, so this page cannot be prerendered.
  await connection()
  const app = currentApp()
  const asked = readCatalogQuery(app, await searchParams)
  const view = await catalogView(app, await headers(), asked)
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
