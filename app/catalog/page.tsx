import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { connection } from 'next/server'
import { EntryCard } from '@/components/catalog/entry-card'
import { CatalogFrame } from '@/components/catalog/frame'
import { Search } from '@/components/catalog/search'
import { type CatalogQuery, type CatalogView, catalogView, readCatalogQuery } from '@/server/discovery/present'
import { currentApp } from '@/server/http/bind'
import './catalog.css'

export const metadata: Metadata = {
  title: 'Catalog',
  description: 'What agents and programs can buy by the request: paid APIs that a settled payment has shown to work.',
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function CatalogPage({ searchParams }: Props) {
  // The catalog is known to the running process only, so nothing of this page may be built ahead.
  await connection()
  const app = currentApp()
  const asked = readCatalogQuery(app, await searchParams)
  const view = await catalogView(app, await headers(), asked)
  return (
    <CatalogFrame>
      <main>
        <header className="intro">
          <h1>Catalog</h1>
          <p className="lead">Paid by the request, without an account. Each of these was paid for through this facilitator.</p>
        </header>
        <Search asked={asked} />
        {'refused' in view ? <p role="alert">{view.refused}</p> : <Entries asked={asked} view={view} />}
      </main>
    </CatalogFrame>
  )
}

function Entries({ asked, view: { items, total, before, next } }: { asked: CatalogQuery; view: CatalogView }) {
  if (items.length === 0) return <Nothing asked={asked} />
  return (
    <>
      <p className="muted count">
        {total === null
          ? `What fits “${asked.words}” best`
          : total === 1
            ? 'One resource'
            : `${total.toLocaleString('en')} resources, the last paid for first`}
      </p>
      <ul className="entries">
        {items.map((item) => (
          <EntryCard key={item.resource} item={item} environment={asked.environment} />
        ))}
      </ul>
      {before === null && next === null ? null : (
        <nav className="pages" aria-label="Pages">
          {before === null ? null : (
            <a href={placeOf(asked, before)} rel="prev">
              Before
            </a>
          )}
          {next === null ? null : (
            <a href={placeOf(asked, next)} rel="next">
              More
            </a>
          )}
        </nav>
      )}
    </>
  )
}

function Nothing({ asked: { words, network, environment } }: { asked: CatalogQuery }) {
  const narrowed = words !== '' || network !== null
  return (
    <section className="nothing">
      <h2>{narrowed ? 'Nothing like this is listed' : 'Nothing is listed here yet'}</h2>
      <p className="muted">
        {narrowed
          ? 'Look for another word, or on another network.'
          : 'A resource that declares itself is listed as soon as a payment for it succeeds.'}
      </p>
      <p>
        {narrowed ? <a href={`/catalog?environment=${environment}`}>See everything</a> : <a href="/docs">How to sell here</a>}
      </p>
    </section>
  )
}

function placeOf({ words, network, environment }: CatalogQuery, from: number): string {
  const query = { environment, ...(words ? { query: words } : {}), ...(network ? { network } : {}), from: String(from) }
  return `/catalog?${new URLSearchParams(query)}`
}
