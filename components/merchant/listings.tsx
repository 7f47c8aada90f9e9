'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { parseAsInteger, useQueryState } from 'nuqs'
import type { ReactNode } from 'react'
import type { Root } from '@/server/trpc/router'
import type { Environment } from '@/server/x402/networks'
import { environmentTitles, useEnvironment } from '../data/environment'
import { useTRPC } from '../data/trpc'
import { titleOf, withoutScheme } from '../settlements/explorer'
import { ScreenHead } from '../shell/shell'
import { Badge } from '../ui/badge'
import { buttonClass } from '../ui/button'
import { Example } from '../ui/example'
import { usdc } from '../ui/figures'
import { later } from '../ui/later'
import { Pager } from '../ui/pager'
import { Empty, Panel, Problem, Skeleton } from '../ui/panel'
import { ColumnTime, Day, useColumnZone } from '../ui/time'

type Listing = inferRouterOutputs<Root>['merchant']['listings']['listings'][number]

// Below the list, and they hold a program.
const Unlisted = later(() => import('./unlisted').then((loaded) => loaded.Unlisted))
const DeclareRoute = later(() => import('./unlisted').then((loaded) => loaded.DeclareRoute), <Skeleton className="h-[26rem]" />)

const PAGE = 50
const LINES = ['a', 'b', 'c']
const COLUMNS = 'gap-x-7 xl:grid-cols-[minmax(0,1fr)_6.5rem_8rem_6rem_8.5rem_8.5rem]'

/** A merchant's catalog listings and their expiry, and what was paid for without one. */
export function Listings() {
  const trpc = useTRPC()
  const [offset, setOffset] = useQueryState('from', parseAsInteger.withDefault(0).withOptions({ history: 'push' }))
  const { environment } = useEnvironment()
  const known = environment ?? 'mainnet'
  const enabled = environment !== undefined
  const query = useQuery(
    trpc.merchant.listings.queryOptions(
      { environment: known, offset: Math.max(0, offset) },
      { enabled, placeholderData: keepPreviousData },
    ),
  )
  const unlisted = useQuery(trpc.merchant.unlisted.queryOptions({ environment: known }, { enabled }))
  const { listings, next = null } = query.data ?? {}
  const none = listings?.length === 0 && offset === 0
  const undeclared = unlisted.data?.some(({ why }) => why === 'undeclared' || why === 'rejected') ?? false
  return (
    <>
      <ScreenHead title="Listings">
        {none ? null : (
          <a href="/catalog" className={buttonClass({ size: 'small' })}>
            View catalog
          </a>
        )}
      </ScreenHead>
      {query.error ? (
        <Problem error={query.error} retry={query.refetch} />
      ) : none ? (
        <NoListings environment={known} program={!undeclared} />
      ) : (
        <>
          <p className="mt-0 mb-4 max-w-prose text-soft">
            A successful payment lists a resource in the catalog for 90 days, and each payment renews it. Agents find it there.
          </p>
          <List>
            {listings
              ? listings.map((listing) => <Row key={listing.id} listing={listing} />)
              : LINES.map((line) => (
                  <li key={line} className="border-0 border-b border-solid border-line px-4 py-3 last:border-b-0">
                    <Skeleton className="h-24 xl:h-11" />
                  </li>
                ))}
          </List>
          <Pager
            newer={offset > 0 ? () => void setOffset(Math.max(0, offset - PAGE)) : null}
            older={next === null ? null : () => void setOffset(next)}
          />
        </>
      )}
      {unlisted.error ? <Problem error={unlisted.error} retry={unlisted.refetch} /> : null}
      {unlisted.data && unlisted.data.length > 0 ? <Unlisted rows={unlisted.data} program={undeclared} /> : null}
    </>
  )
}

/** Rows below the titles of their columns. */
function List({ children }: { children: ReactNode }) {
  const zone = useColumnZone([])
  return (
    <div className="rounded-xl border border-solid border-line bg-card">
      <div
        aria-hidden
        className={`hidden border-0 border-b border-solid border-line px-4 py-2.5 text-[0.8125rem] font-medium text-soft xl:grid ${COLUMNS}`}
      >
        <span>Resource</span>
        <span className="text-right">Price (USDC)</span>
        <span>Network</span>
        <span className="text-right">Calls, 30 days</span>
        <span>Last paid ({zone})</span>
        <span>State</span>
      </div>
      <ul>{children}</ul>
    </div>
  )
}

function Row({ listing }: { listing: Listing }) {
  const { environment, url, description, networks, amounts, calls, lastSeen } = listing
  return (
    <li className={`grid items-center gap-y-1 border-0 border-b border-solid border-line px-4 py-3 last:border-b-0 ${COLUMNS}`}>
      <span className="grid min-w-0 gap-0.5">
        <a href={`/catalog/resource?${new URLSearchParams({ environment, url })}`} className="truncate font-medium" title={url}>
          {pathOf(url)}
        </a>
        <span className="truncate text-[0.8125rem] text-soft" title={description ?? undefined}>
          {hostOf(url)}
          {description ? ` · ${description}` : null}
        </span>
      </span>
      <Cell name="Price" figure>
        {pricesOf(amounts)}
      </Cell>
      <Cell name="Network">{networks.map(titleOf).join(', ')}</Cell>
      <Cell name="Calls in 30 days" figure>
        {calls === null ? <span title="The key keeps no history">–</span> : calls.toLocaleString('en')}
      </Cell>
      <Cell name="Last paid">
        <ColumnTime at={lastSeen} />
      </Cell>
      <State listing={listing} />
    </li>
  )
}

/** A value with its name, which wide screens show above the column. */
function Cell({ name, figure = false, children }: { name: string; figure?: boolean; children: ReactNode }) {
  return (
    <span
      className={`flex min-w-0 justify-between gap-3 text-[0.8125rem] xl:text-[0.875rem] ${figure ? 'tabular-nums xl:justify-end' : 'xl:justify-start'}`}
    >
      <span className="text-soft xl:sr-only">{name}</span>
      {/* What is cut would hide the hint of a time. */}
      <span className="min-w-0 truncate has-[time]:overflow-visible">{children}</span>
    </span>
  )
}

function State({ listing: { listed, until, keyRevoked, optedOut } }: { listing: Listing }) {
  const why = keyRevoked ? 'Key revoked' : optedOut ? 'Key keeps no history' : null
  return (
    <span className="flex flex-wrap items-center gap-x-2 text-[0.8125rem] text-soft xl:grid xl:justify-items-start xl:gap-0.5">
      {listed ? <Badge tone={why ? 'warn' : 'good'}>Listed</Badge> : <Badge>Not listed</Badge>}
      {why ? (
        <span>{why}</span>
      ) : listed ? (
        <span>
          Until <Day at={until} />
        </span>
      ) : (
        <span>No payment in 90 days</span>
      )}
    </span>
  )
}

/** The different prices of a resource, in USDC. */
function pricesOf(amounts: readonly (string | null)[]): string {
  const prices = [...new Set(amounts.flatMap((amount) => amount ?? []))].map(usdc)
  return prices.length === 0 ? '–' : prices.join(', ')
}

const hostOf = (url: string) => withoutScheme(url).split('/', 1)[0] ?? url

function pathOf(url: string): string {
  const bare = withoutScheme(url)
  const at = bare.indexOf('/')
  return at < 0 ? '/' : bare.slice(at)
}

/** How to get the first listing; with the program unless it is shown elsewhere. */
function NoListings({ environment, program }: { environment: Environment; program: boolean }) {
  return (
    <>
      <Panel>
        <Empty
          title={`No ${environmentTitles[environment]} listings yet`}
          action={
            <>
              <a href="/docs/catalog" className={buttonClass({ look: 'primary' })}>
                How to get listed
              </a>
              <a href="/catalog" className={buttonClass()}>
                View catalog
              </a>
            </>
          }
        >
          A listing shows a paid route in the public catalog, where agents find it. Declare the route, and its first successful
          payment lists it.
        </Empty>
      </Panel>
      <div className="mt-4">
        <Example>
          <List>
            <Row listing={exampleListing(Date.now())} />
          </List>
        </Example>
      </div>
      {program ? (
        <div className="mt-4">
          <DeclareRoute />
        </div>
      ) : null}
      <p className="mt-2 mb-0 text-[0.8125rem] text-soft">
        A listing ends 90 days after the last payment. We never list localhost or private addresses.
      </p>
    </>
  )
}

/** A listing as it looks after its first month. */
function exampleListing(now: number): Listing {
  const at = (ms: number) => new Date(now + ms).toISOString()
  return {
    ...{ id: 'example', environment: 'mainnet', url: 'https://your-api.com/weather', description: 'The weather of a city' },
    ...{ x402Version: 2, tenantId: 'example', networks: ['eip155:8453'], amounts: ['1000'], calls: 1_204 },
    ...{ lastSeen: at(-180_000), until: at(90 * 86_400_000), listed: true, keyRevoked: false, optedOut: false },
  }
}
