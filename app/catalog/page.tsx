import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { connection } from 'next/server'
import { pageMetadata } from '@/app/metadata'
import { EntryCard } from '@/components/catalog/entry-card'
import { CatalogFrame } from '@/components/catalog/frame'
import { Search } from '@/components/catalog/search'
import { SortLinks } from '@/components/catalog/sort'
import { Unchecked } from '@/components/catalog/unchecked'
import { catalogUrl } from '@/components/catalog/url'
import { CATALOG_PITCH } from '@/components/pictures/cards'
import { currentApp } from '@/server/app'
import { type CatalogQuery, type CatalogView, catalogView, readCatalogQuery } from '@/server/discovery/present'
import './catalog.css'

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
          <p className="lead">Pay per request, without an account. Every API here has been paid at least once.</p>
          <Unchecked />
        </header>
        <Search asked={asked} />
        {'refused' in view ? <Refused message={view.refused} /> : <Entries asked={asked} view={view} />}
      </main>
    </CatalogFrame>
  )
}

function Entries({ asked, view: { items, total, before, next } }: { asked: CatalogQuery; view: CatalogView }) {
  if (items.length === 0) return <NoResults asked={asked} />
  return (
    <>
      <div className="list-head">
        <p className="muted count">
          {total === null
            ? `Best matches for “${asked.words}”`
            : total === 1
              ? '1 resource'
              : `${total.toLocaleString('en')} resources`}
        </p>
        {total === null ? null : <SortLinks asked={asked} />}
      </div>
      <ul className="entries">
        {items.map(({ item, figures }) => (
          <EntryCard key={item.resource} item={item} figures={figures} environment={asked.environment} />
        ))}
      </ul>
      {before === null && next === null ? null : (
        <nav className="pages" aria-label="Pages">
          {before === null ? null : (
            <a href={catalogUrl({ ...asked, from: before })} rel="prev">
              Previous
            </a>
          )}
          {next === null ? null : (
            <a href={catalogUrl({ ...asked, from: next })} rel="next">
              Next
            </a>
          )}
        </nav>
      )}
    </>
  )
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

function NoResults({ asked: { words, network, environment } }: { asked: CatalogQuery }) {
  const narrowed = words !== '' || network !== null
  return (
    <section className="nothing">
      <h2>{narrowed ? 'No matching resources' : 'No resources yet'}</h2>
      <p className="muted">
        {narrowed ? 'Try other words or another network.' : 'The first successful payment lists a resource that declares itself.'}
      </p>
      <p>
        {narrowed ? <a href={`/catalog?environment=${environment}`}>Show all</a> : <a href="/docs/catalog">How to list yours</a>}
      </p>
    </section>
  )
}
