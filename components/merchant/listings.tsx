'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { parseAsInteger, useQueryState } from 'nuqs'
import { discoverableRoute } from '@/app/docs/programs/discovery'
import type { Root } from '@/server/trpc/router'
import { CopyButton } from '../copy-button'
import { useTRPC } from '../data/trpc'
import { titleOf, withoutScheme } from '../settlements/explorer'
import { Pager } from '../settlements/list'
import { ScreenHead } from '../shell/shell'
import { Badge } from '../ui/badge'
import { buttonClass } from '../ui/button'
import { Empty, Panel, Problem, Skeleton } from '../ui/panel'
import { Time } from '../ui/time'

type Listing = inferRouterOutputs<Root>['merchant']['listings']['listings'][number]

const PAGE = 50

/** A merchant's catalog listings and their expiry. */
export function Listings() {
  const trpc = useTRPC()
  const [offset, setOffset] = useQueryState('from', parseAsInteger.withDefault(0).withOptions({ history: 'push' }))
  const query = useQuery(
    trpc.merchant.listings.queryOptions({ offset: Math.max(0, offset) }, { placeholderData: keepPreviousData }),
  )
  const { listings, next = null } = query.data ?? {}
  return (
    <>
      <ScreenHead title="Listings">
        <a href="/catalog" className={buttonClass({ size: 'small' })}>
          View catalog
        </a>
      </ScreenHead>
      {query.error ? (
        <Problem error={query.error} retry={query.refetch} />
      ) : listings?.length === 0 && offset === 0 ? (
        <NoListings />
      ) : (
        <>
          <p className="mt-0 mb-4 max-w-prose text-soft">
            A successful payment lists a resource in the catalog for 90 days. Agents find it there.
          </p>
          <ul className="rounded-xl border border-solid border-line bg-card">
            {listings
              ? listings.map((listing) => <Row key={listing.id} listing={listing} />)
              : LINES.map((line) => <Skeleton key={line} className="m-4 h-11" />)}
          </ul>
          <Pager
            newer={offset > 0 ? () => void setOffset(Math.max(0, offset - PAGE)) : null}
            older={next === null ? null : () => void setOffset(next)}
          />
        </>
      )}
    </>
  )
}

const LINES = ['a', 'b', 'c']

function Row({ listing }: { listing: Listing }) {
  const { environment, url, description, networks, lastSeen } = listing
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-0 border-b border-solid border-line px-4 py-3 last:border-b-0">
      <span className="grid min-w-0 gap-0.5">
        <a href={`/catalog/resource?${new URLSearchParams({ environment, url })}`} className="truncate font-medium" title={url}>
          {withoutScheme(url)}
        </a>
        <span className="truncate">{description ?? <span className="text-soft">No description</span>}</span>
        <span className="text-[0.8125rem] text-soft">
          {networks.map(titleOf).join(', ')}, last paid <Time at={lastSeen} />
        </span>
      </span>
      <State listing={listing} />
    </li>
  )
}

function State({ listing: { listed, until, keyRevoked, optedOut } }: { listing: Listing }) {
  const why = keyRevoked ? 'key revoked' : optedOut ? 'key keeps no history' : null
  return (
    <span className="grid gap-0.5 text-[0.8125rem] text-soft sm:justify-items-end">
      <span>{listed ? <Badge tone={why ? 'warn' : 'good'}>Listed</Badge> : <Badge>Not listed</Badge>}</span>
      {listed ? `Until ${until.slice(0, 10)}; ${why ?? 'each payment renews it'}` : null}
    </span>
  )
}

function NoListings() {
  const code = discoverableRoute()
  return (
    <Panel>
      <Empty
        title="No listings yet"
        action={
          <a href="/docs/catalog" className={buttonClass({ look: 'primary' })}>
            How to get listed
          </a>
        }
      >
        Declare a route as below. The first successful payment with one of your keys lists it. We never list localhost or private
        addresses.
      </Empty>
      <div className="border-0 border-t border-solid border-line">
        <div className="flex items-center justify-between px-4 py-2">
          <span className="text-[0.8125rem] text-soft">Official middleware with the discovery extension</span>
          <CopyButton text={code} />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access */}
        <pre tabIndex={0} className="m-0 overflow-x-auto rounded-b-xl bg-code p-4 text-[0.8125rem]">
          <code>{code}</code>
        </pre>
      </div>
    </Panel>
  )
}
