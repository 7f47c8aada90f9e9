'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { ArrowDown } from 'lucide-react'
import { parseAsInteger, useQueryState } from 'nuqs'
import type { ReactNode } from 'react'
import type { Root } from '@/server/trpc/router'
import { USDC } from '@/server/x402/networks/assets'
import type { Environment } from '@/server/x402/networks/networks'
import { useMinute } from '../../client/clock'
import { Problem } from '../../client/problem'
import { ScreenHead } from '../../client/screen-head'
import { useTRPC } from '../../client/trpc'
import { useEnvironment } from '../../client/use-environment'
import { buttonClass } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { Example } from '../../ui/example'
import { moneyText } from '../../ui/figures'
import { later } from '../../ui/later'
import { ListTitles, LoadingRows } from '../../ui/list'
import { countedText, ListSummary } from '../../ui/list-summary'
import { Pager } from '../../ui/pager'
import { Panel, Skeleton } from '../../ui/panel'
import { StepMark } from '../../ui/step-mark'
import { EXAMPLE_VOLUME, exampleListings } from './example'
import { COLUMNS, ListingRow, placesIn } from './listing-row'
import { listingsQuery, reportQuery } from './queries'

// Below the list, and they hold a program.
const Report = later(() => import('./report').then((loaded) => loaded.Report))
const DeclareRoute = later(
  () => import('./report').then((loaded) => loaded.DeclareRoute),
  <Skeleton className="h-[39.3925rem] w-full sm:h-[35.3695rem]" />,
)

const PAGE = 50

type Sums = inferRouterOutputs<Root>['merchant']['listings']['sums']

/** The rules of a resource whose route lacks the declaration. */
const UNDECLARED: ReadonlySet<string> = new Set(['declaration_missing', 'extensions_missing'])

/** A merchant's catalog listings and their expiry, and the rule that keeps each other paid resource out. */
export function Listings() {
  const trpc = useTRPC()
  const [offset, setOffset] = useQueryState('from', parseAsInteger.withDefault(0).withOptions({ history: 'push' }))
  const { environment } = useEnvironment()
  const known = environment ?? 'mainnet'
  const enabled = environment !== undefined
  const query = useQuery({
    ...listingsQuery(trpc, known, Math.max(0, offset)),
    enabled,
    placeholderData: keepPreviousData,
  })
  const report = useQuery({ ...reportQuery(trpc, known), enabled })
  const { listings, next = null, sums } = query.data ?? {}
  const none = listings?.length === 0 && offset === 0
  const undeclared = report.data?.resources.some(({ problems }) => problems.some(({ rule }) => UNDECLARED.has(rule))) ?? false
  return (
    <>
      <ScreenHead title="Listings">
        {none ? null : (
          <a href={`/catalog?environment=${known}`} className={buttonClass({ size: 'small' })}>
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
          <ListSummary parts={sums ? partsOf(sums) : null} className="mb-2" />
          <List>
            {listings ? (
              listings.map((listing) => (
                <ListingRow key={listing.id} listing={listing} places={placesIn(listings)} total={sums?.volume ?? '0'} />
              ))
            ) : (
              <LoadingRows count={3} className="h-25.5 xl:h-11" />
            )}
          </List>
          <p className="mt-3 max-w-prose text-sm text-soft">
            Each payment lists its resource for 90 days. Figures cover the last 30 full days (UTC).
          </p>
          <Pager
            newer={offset > 0 ? () => void setOffset(Math.max(0, offset - PAGE)) : null}
            older={next === null ? null : () => void setOffset(next)}
          />
        </>
      )}
      {report.error ? <Problem error={report.error} retry={report.refetch} /> : null}
      {report.data ? <Report report={report.data} program={undeclared} environment={known} /> : null}
    </>
  )
}

/** What all listings came to, without the parts that are zero or say the same. */
function partsOf({ listings, listed, calls, volume }: Sums): (string | null)[] {
  return [
    countedText(listings, 'listing'),
    listed === listings ? null : `${listed.toLocaleString('en')} listed now`,
    calls === 0 ? null : `${moneyText(volume, USDC)} from ${countedText(calls, 'paid call')} in 30 days`,
  ]
}

/** Rows below the titles of their columns. */
function List({ children }: { children: ReactNode }) {
  return (
    <div className="panel">
      <ListTitles columns={COLUMNS}>
        <span>Resource</span>
        <span title="Paid calls a day">Trend</span>
        <span className="flex items-center justify-end gap-1 text-ink" title="Sorted by it, highest first">
          <ArrowDown className="size-3.5" /> Volume (USDC)
        </span>
        <span className="text-right">Paid calls</span>
        <span className="text-right">Price (USDC)</span>
        <span>Network</span>
        <span className="text-right">Last paid</span>
      </ListTitles>
      <ul>{children}</ul>
    </div>
  )
}

/** How to get the first listing; with the program unless it is shown elsewhere. */
function NoListings({ environment, program }: { environment: Environment; program: boolean }) {
  const examples = exampleListings(environment, useMinute())
  return (
    <>
      <Panel title={`No ${environment === 'testnet' ? 'test' : 'live'} listings yet`}>
        <p className="px-4 pt-3 text-soft">A listing shows agents your route in the public catalog. It takes three steps.</p>
        <ol
          aria-label="Steps to a listing"
          className="grid grid-cols-1 gap-x-8 px-4 py-2 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] xl:grid-rows-[auto_1fr]"
        >
          <Step
            number={1}
            title="Declare the route"
            text={program ? null : 'Add the discovery extension to the prices of your server.'}
          >
            {program ? (
              <div className="max-sm:col-span-2 sm:col-start-2">
                <DeclareRoute environment={environment} />
              </div>
            ) : null}
          </Step>
          <Step
            number={2}
            title="Get paid once"
            text="Send one payment to the route at its public URL. Localhost and private addresses are never listed."
          >
            <a href="/docs/payers-and-agents#pay" className={STEP_LINK}>
              How to pay a route
            </a>
          </Step>
          <Step number={3} title="Be found" text="The payment lists the route for 90 days. Each later payment renews it.">
            <a href={`/catalog?environment=${environment}`} className={STEP_LINK}>
              View catalog
            </a>
          </Step>
        </ol>
      </Panel>
      <div className="mt-4">
        <Example>
          <List>
            {examples.map((listing) => (
              <ListingRow key={listing.id} listing={listing} places={placesIn(examples)} total={EXAMPLE_VOLUME} />
            ))}
          </List>
        </Example>
      </div>
    </>
  )
}

const STEP_LINK = cx(buttonClass({ size: 'small' }), 'col-start-2 justify-self-start')

type StepProps = { number: number; title: string; text: string | null; children: ReactNode }

/** A step. The first may hold a program: it stands beside the others where there is room. */
function Step({ number, title, text, children }: StepProps) {
  return (
    <li className="grid grid-cols-[1.75rem_minmax(0,1fr)] content-start gap-x-3 gap-y-2.5 py-2.5 xl:first:row-span-2">
      <StepMark number={number} state={number === 1 ? 'next' : 'later'} />
      <span className="grid content-center gap-0.5">
        <span className="font-medium">{title}</span>
        {text === null ? null : <span className="text-sm text-soft">{text}</span>}
      </span>
      {children}
    </li>
  )
}
