import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { connection } from 'next/server'
import { EntryCard } from '@/components/catalog/entry-card'
import { CatalogFrame } from '@/components/catalog/frame'
import { Search } from '@/components/catalog/search'
import { currentApp } from '@/server/app'
import { type CatalogQuery, type CatalogView, catalogView, readCatalogQuery } from '@/server/discovery/present'
import './catalog.css'

export const metadata: Metadata = {
  title: 'Catalog',
  description: 'Paid APIs for agents and programs; a settled payment proved that each one works.',
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function CatalogPage({ searchParams }: Props) {
  // The catalog exists only at run time, so this page cannot be prerendered.
  await connection()
  const app = currentApp()
  const asked = readCatalogQuery(app, await searchParams)
  const view = await catalogView(app, await headers(), asked)
  return (
    <CatalogFrame>
      <main>
        <header className="intro">
          <h1>Catalog</h1>
          <p className="lead">Pay per request, without an account. Each resource was paid through this facilitator.</p>
        </header>
        <Search asked={asked} />
        {'refused' in view ? <p role="alert">{view.refused}</p> : <Entries asked={asked} view={view} />}
      </main>
    </CatalogFrame>
  )
}

function Entries({ asked, view: { items, total, before, next } }: { asked: CatalogQuery; view: CatalogView }) {
  if (items.length === 0) return <NoResults asked={asked} />
  return (
    <>
      <p className="muted count">
        {total === null
          ? `Best matches for “${asked.words}”`
          : total === 1
            ? '1 resource'
            : `${total.toLocaleString('en')} resources, last paid first`}
      </p>
      <ul className="entries">
        {items.map((item) => (
          <EntryCard key={item.resource} item={item} environment={asked.environment} />
        ))}
      </ul>
      {before === null && next === null ? null : (
        <nav className="pages" aria-label="Pages">
          {before === null ? null : (
            <a href={urlOf(asked, before)} rel="prev">
              Previous
            </a>
          )}
          {next === null ? null : (
            <a href={urlOf(asked, next)} rel="next">
              Next
            </a>
          )}
        </nav>
      )}
    </>
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
      <p>{narrowed ? <a href={`/catalog?environment=${environment}`}>Show all</a> : <a href="/docs">How to list yours</a>}</p>
    </section>
  )
}

function urlOf({ words, network, environment }: CatalogQuery, from: number): string {
  const query = { environment, ...(words ? { query: words } : {}), ...(network ? { network } : {}), from: String(from) }
  return `/catalog?${new URLSearchParams(query)}`
}
