import type { inferRouterOutputs } from '@trpc/server'
import type { ReactNode } from 'react'
import { DAY_MS } from '@/server/base/durations'
import type { Root } from '@/server/trpc/router'
import { tokenNamed, USDC } from '@/server/x402/networks/assets'
import { networkTitle } from '@/server/x402/networks/networks'
import { ShareBar, ShareFigure, shareOf } from '../../client/analytics/line-list'
import { useMinute } from '../../client/clock'
import { Time } from '../../client/time'
import { useZone } from '../../client/zone'
import { Badge } from '../../ui/badge'
import { Course } from '../../ui/chart/course'
import { exactDate } from '../../ui/dates'
import { Aligned, moneyText, partText, placesOf } from '../../ui/figures'
import { Hint } from '../../ui/hint'
import { countedText } from '../../ui/list-summary'
import { withoutScheme } from '../../ui/urls'

export type Listing = inferRouterOutputs<Root>['merchant']['listings']['listings'][number]

/** The columns of a wide list. */
export const COLUMNS = 'gap-x-6 xl:grid-cols-[minmax(0,1fr)_7rem_7.5rem_4.5rem_5.5rem_6.5rem_8.5rem]'
const NO_PRICE = '–'
const NO_PAYMENT = 'no payment in 90 days'

/** How many decimals the columns of amounts show. */
type Places = { price: number; volume: number }

/** The decimals of the amounts of some listings. */
export function placesIn(listings: readonly Listing[]): Places {
  return {
    price: placesOf(listings.flatMap((listing) => onlyPrice(listing) ?? [])),
    volume: placesOf(listings.flatMap(({ figures }) => (figures ? [{ atomic: figures.volume, decimals: USDC.decimals }] : []))),
  }
}

type RowProps = {
  listing: Listing
  places: Places
  /** The volume of all listings, of which each has a share. Atomic units. */
  total: string
}

/** A listing: in columns, or in lines where room is short. */
export function ListingRow(props: RowProps) {
  return (
    <li className="border-b px-4 py-3 last:border-b-0">
      <WideRow {...props} />
      <NarrowRow {...props} />
    </li>
  )
}

function WideRow({ listing, places, total }: RowProps) {
  const { url, description, networks, figures, lastSeen } = listing
  const titles = titlesOf(networks)
  const price = onlyPrice(listing)
  return (
    <div className={`hidden items-center xl:grid ${COLUMNS}`}>
      <span className="grid min-w-0 gap-0.5">
        <span className="flex min-w-0 items-baseline gap-2">
          <Path listing={listing} />
          <span className="min-w-0 shrink-[999] truncate text-sm text-soft">{hostOf(url)}</span>
        </span>
        {description ? (
          <span className="line-clamp-2 text-sm text-soft" title={description}>
            {description}
          </span>
        ) : null}
        <State listing={listing} />
      </span>
      <span>{figures?.days ? <Course heights={heightsOf(figures.days)} /> : null}</span>
      <span className="text-right font-medium tabular-nums">
        {figures === null ? (
          <Hint text="The key keeps no history">–</Hint>
        ) : isToday(listing) ? (
          <Hint text="Its first day (UTC) is not over">–</Hint>
        ) : (
          <>
            <Aligned atomic={figures.volume} decimals={USDC.decimals} places={places.volume} />
            <ShareFigure share={shareOf(figures.volume, total)} className="font-normal" />
          </>
        )}
      </span>
      <span className="text-right tabular-nums">
        {figures === null || isToday(listing) ? '–' : figures.calls.toLocaleString('en')}
      </span>
      {/* The head of the column has the usual unit. */}
      <span className="text-right tabular-nums">
        {price ? <Aligned {...price} places={places.price} /> : pricesOf(listing).replaceAll(` ${USDC.symbol}`, '')}
      </span>
      <span className="min-w-0 truncate" title={titles}>
        {titles}
      </span>
      <span className="text-right">
        <Time at={lastSeen} />
      </span>
    </div>
  )
}

/** Lines, with what it earned on their right. */
function NarrowRow({ listing, total }: Omit<RowProps, 'places'>) {
  const { url, description, networks, figures, lastSeen } = listing
  const prices = pricesOf(listing)
  const earned = figures !== null && !isToday(listing)
  const share = earned ? shareOf(figures.volume, total) : 0
  return (
    <div className="grid gap-0.5 text-sm text-soft xl:hidden">
      <Ends>
        <span className="flex min-w-0 text-[0.9375rem]">
          <Path listing={listing} />
        </span>
        <span className="text-[0.9375rem] font-medium text-ink tabular-nums">
          {earned ? <span className="mr-2.5 text-sm font-normal text-soft">{partText(share)}</span> : null}
          {earned ? moneyText(figures.volume, USDC) : figures === null ? null : 'New today'}
        </span>
      </Ends>
      {earned ? <ShareBar share={share} tone="good" className="my-1" /> : null}
      <Ends>
        <span className="truncate">{hostOf(url)}</span>
        <span className="tabular-nums">{earned ? countedText(figures.calls, 'paid call') : null}</span>
      </Ends>
      <Ends>
        <span className="truncate">
          {prices === NO_PRICE ? null : `${prices} a call · `}
          {titlesOf(networks)}
        </span>
        <span>
          Paid <Time at={lastSeen} />
        </span>
      </Ends>
      <span className="flex items-start justify-between gap-x-3 gap-y-0.5 max-md:flex-col">
        <span className="line-clamp-2 wrap-anywhere md:line-clamp-1">{description}</span>
        <State listing={listing} />
      </span>
    </div>
  )
}

/** What stands at the two ends of a line. The left end is cut where room is short. */
function Ends({ children }: { children: ReactNode }) {
  return (
    <span className="flex min-w-0 items-baseline justify-between gap-3 *:last:shrink-0 *:last:whitespace-nowrap">{children}</span>
  )
}

function Path({ listing: { environment, url } }: { listing: Listing }) {
  return (
    <a href={`/catalog/resource?${new URLSearchParams({ environment, url })}`} className="truncate font-medium" title={url}>
      {pathOf(url)}
    </a>
  )
}

/** How long a listing stays without a payment, where it ends soon or has ended. */
function State({ listing: { listed, until, ...listing } }: { listing: Listing }) {
  const now = useMinute()
  const zone = useZone()
  const why = whyOf(listing)
  const days = Math.max(0, Math.ceil((Date.parse(until) - now) / DAY_MS))
  if (listed && why === null && days >= WARN_DAYS) return null
  const text = listed ? `${countedText(days, 'day')} left` : 'Not listed'
  const because = why ?? (listed ? null : NO_PAYMENT)
  return (
    <time dateTime={until} title={`Until ${exactDate(new Date(until), zone)}`} className="shrink-0">
      <Badge tone={listed ? 'warn' : 'plain'}>{because ? `${text}: ${because}` : text}</Badge>
    </time>
  )
}

/** From so many days on a listing ends soon. */
const WARN_DAYS = 14

/** Why its key will not renew a listing; null if it will. */
const whyOf = ({ keyRevoked, optedOut }: Pick<Listing, 'keyRevoked' | 'optedOut'>): string | null =>
  keyRevoked ? 'key revoked' : optedOut ? 'key keeps no history' : null

/** The paid calls of its days, as percents of the most. */
const heightsOf = (days: readonly number[]): number[] => days.map((calls) => (calls * 100) / Math.max(1, ...days))

/** Whether its first payment is of today: figures are those of completed days. */
const isToday = ({ figures, lastSeen }: Listing): boolean =>
  figures?.calls === 0 && lastSeen.slice(0, 10) === new Date().toISOString().slice(0, 10)

const titlesOf = (networks: readonly string[]): string => [...new Set(networks.map(networkTitle))].join(', ')

/** The price of a resource that has one, in USDC; null for others. */
function onlyPrice({ amounts, symbols }: Listing): { atomic: string; decimals: number } | null {
  const [atomic = null, ...others] = [...new Set(amounts)]
  const isUsdc = symbols.every((symbol) => symbol === USDC.symbol)
  return atomic !== null && others.length === 0 && isUsdc ? { atomic, decimals: USDC.decimals } : null
}

/** The different prices of a resource. */
function pricesOf({ amounts, symbols }: Listing): string {
  const all = amounts.flatMap((amount, at) => (amount === null ? [] : moneyText(amount, tokenNamed(symbols[at] ?? USDC.symbol))))
  return all.length === 0 ? NO_PRICE : [...new Set(all)].join(', ')
}

const hostOf = (url: string) => withoutScheme(url).split('/', 1)[0] ?? url

function pathOf(url: string): string {
  const bare = withoutScheme(url)
  const at = bare.indexOf('/')
  return at < 0 ? '/' : bare.slice(at)
}
