import type { inferRouterOutputs } from '@trpc/server'
import type { ReactNode } from 'react'
import { dateAfter, dateIn } from '@/server/base/zones'
import type { Root } from '@/server/trpc/router'
import { type Token, USDC } from '@/server/x402/networks/assets'
import { networkTitle } from '@/server/x402/networks/networks'
import { Button } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { Copyable } from '../../ui/copyable'
import { dayDate, dayRange, dayText } from '../../ui/dates'
import { headlineText, moneyText, partText, shareText } from '../../ui/figures'
import { Empty, Panel } from '../../ui/panel'
import { partsOf, ResourceName } from '../../ui/resource-name'
import { shortened } from '../../ui/shortened'
import { comparisonOf } from './changes'
import { ByPayers, Failures } from './failures'
import { CARD_TITLES, type Figures, rateOf } from './figure'
import { figureValue } from './figure-cells'
import { FigureChart, type useFigure } from './figure-chart'
import { LINE, Lines, LoadingLines, Name, ShareBar, shareOf } from './line-list'
import { type Listing, periodFilter, settlementsUrl, tokenFilter } from './links'
import { Ranked, type RankedRow } from './ranked'
import type { SelectedPeriod } from './use-period'

export type Overview = inferRouterOutputs<Root>['merchant']['overview']
type Lists = Overview['lists']
type TopPayers = Overview['topPayers']

type Props = {
  period: SelectedPeriod
  drawing: ReturnType<typeof useFigure>
  /** The figures alone, until the overview is there. */
  figures: Figures | undefined
  overview: Overview | undefined
  listing: Listing
  /** What to do where the period is empty, and no payment was before it. */
  start: ReactNode
  /** Whether another part of the screen has its primary button. */
  hasPrimary?: boolean
  /** Whether the reader runs this facilitator. */
  forOperator?: boolean
  /** Short panels below the failures. */
  belowFailures?: ReactNode
  /** Short panels below the networks. */
  belowNetworks?: ReactNode
  /** Stand before the tables. */
  children?: ReactNode
}

/** Figures, chart and lists of a period. */
export function AnalyticsView({ period, drawing, overview, listing, start, ...rest }: Props) {
  const { forOperator = false, hasPrimary = false, belowFailures, belowNetworks, children } = rest
  const { figures, lists, topPayers, dailyPayers, newest, latest = null } = overview ?? { figures: rest.figures }
  if (figures && isEmpty(figures)) {
    return (
      <div className="grid gap-4">
        <Nothing figures={figures}>
          <Empty
            title="No payments in this period"
            action={latest ? <LastPeriod period={period} days={figures.days.length} latest={latest} plain={hasPrimary} /> : start}
          >
            {latest
              ? `The last payment was on ${dayDate(new Date(latest), period.zone)}.`
              : 'Choose a longer period, or switch between Live and Test.'}
          </Empty>
        </Nothing>
        <div className="grid gap-4 empty:hidden lg:grid-cols-2">
          {belowFailures}
          {belowNetworks}
        </div>
        {children}
      </div>
    )
  }
  const inPeriod = { ...periodFilter(figures), ...tokenFilter(figures) }
  const token = figures?.asset ?? USDC
  const ranked = rankedOf(figures)
  const url = (filters: Record<string, string>) => settlementsUrl(listing, period, { ...inPeriod, ...filters })
  const earns = (
    <Panel title="Top resources">
      <Ranked
        what="Top resources"
        first="Resource"
        rows={lists?.resources.map((row) => resourceOf(row, url))}
        {...ranked}
        empty="No paid resources."
        withCourse={lists === undefined || lists.resources.some(({ course }) => daysIn(course) >= COURSE_DAYS)}
      />
    </Panel>
  )
  // Payments that stand for themselves say more than leaders of a few.
  const singly = figures?.few === true && drawing.figure === null && !forOperator
  const hasFailures = figures?.reasons.length !== 0
  const hasLeft = hasFailures || Boolean(belowFailures)
  // The head says as much of a single one.
  const hasNetworks = !singly || figures.networks.length > 1 || Boolean(belowNetworks)
  const why = (hasLeft || hasNetworks) && (
    <div className={cx('grid gap-4', hasLeft && hasNetworks && 'lg:grid-cols-2')}>
      {hasLeft ? (
        <div className={COLUMN}>
          {hasFailures ? (
            <Panel title="Failures" action={<ByPayers total={figures?.total} />} className="flex flex-col">
              <Failures
                reasons={figures?.reasons}
                compared={ranked.compared}
                codes={forOperator}
                hrefOf={(codes) => url({ status: 'failed', ...(codes.length > 0 ? { reason: codes.join(',') } : {}) })}
              />
            </Panel>
          ) : null}
          {belowFailures}
        </div>
      ) : null}
      {hasNetworks ? (
        <div className={COLUMN}>
          <Panel title="Networks" className="flex flex-col">
            <Networks networks={figures?.networks} token={token} url={url} all={!singly} />
          </Panel>
          {belowNetworks}
        </div>
      ) : null}
    </div>
  )
  // A merchant asks first what earns; an operator what fails, and what that costs.
  return (
    <div className="grid gap-4">
      <FigureChart
        period={period}
        drawing={drawing}
        dailyPayers={dailyPayers ?? undefined}
        newest={newest ?? undefined}
        listing={listing}
        data={figures}
        payers={lists && { payers: lists.payers, before: lists.before, without: lists.without }}
      />
      {forOperator ? why : null}
      {children}
      {singly ? null : earns}
      {forOperator ? null : why}
      {singly ? null : (
        <Panel title="Top payers" action={topPayers?.more ? <Counted most={topPayers.counted} /> : undefined}>
          <Ranked
            what="Top payers"
            first="Payer"
            rows={topPayers?.payers.map((row) => payerOf(row, url))}
            {...ranked}
            empty="No payers."
            withLast
          />
        </Panel>
      )}
    </div>
  )
}

// Both columns end level.
const COLUMN = 'flex min-w-0 flex-col gap-4 *:last:grow'

/** A course of fewer days says nothing. */
const COURSE_DAYS = 3
const daysIn = (course: readonly number[] = []): number => course.filter((height) => height > 0).length

type NetworksProps = {
  networks: Figures['networks'] | undefined
  token: Token
  url: Url
  /** Whether it links to all settlements. */
  all: boolean
}

/** What each network took, with its share of the volume. */
function Networks({ networks, token, url, all }: NetworksProps) {
  if (!networks) return <LoadingLines />
  const total = String(networks.reduce((sum, { volume }) => sum + BigInt(volume), 0n))
  return (
    <Lines empty="No networks used." all={all ? { href: url({}), text: 'All settlements' } : null}>
      {networks.map(({ network, settled, failed, valid, volume }) => {
        const rate = rateOf({ settled, valid })
        const share = shareOf(volume, total)
        return (
          <li key={network} className={cx(LINE, 'grid gap-1.5 px-4 py-3')}>
            <span className="flex justify-between gap-4">
              <Name href={url({ network })} text={networkTitle(network)} />
              <span className="whitespace-nowrap tabular-nums">
                <span className="font-medium">{moneyText(volume, token)}</span>
                <span className="text-soft"> · {partText(share)}</span>
              </span>
            </span>
            <ShareBar share={share} tone="good" />
            <span className="flex justify-between gap-4 text-sm text-soft tabular-nums">
              <span>
                {settled.toLocaleString('en')} settled,{' '}
                <span className="whitespace-nowrap">{failed.toLocaleString('en')} failed</span>
              </span>
              <span className="text-right whitespace-nowrap">
                {rate === null ? (
                  'None valid'
                ) : rate === 1 ? (
                  'All valid settled'
                ) : (
                  <>
                    {shareText(rate)} <span className="max-sm:hidden">of valid payments</span>
                    <span className="sm:hidden">of valid</span>
                  </>
                )}
              </span>
            </span>
          </li>
        )
      })}
    </Lines>
  )
}

/** What tables of leaders need to know of the figures that they belong to. */
export function rankedOf(figures: Figures | undefined) {
  return { token: figures?.asset ?? USDC, total: figures?.total.volume ?? '0', compared: comparisonOf(figures) === 'full' }
}

/** The frame of a chart without bars, with what to do instead. */
function Nothing({ figures: { days, asset }, children }: { figures: Figures; children: ReactNode }) {
  const [first, last] = [days[0], days.at(-1)]
  return (
    <Panel className="p-4">
      <p className="text-sm text-soft">{CARD_TITLES.volume}</p>
      <p className={figureValue('volume')}>{headlineText('0', asset)}</p>
      <div className="grid min-h-64 place-items-center border-b">{children}</div>
      <p aria-hidden className="mt-2 flex justify-between text-sm text-soft">
        <span>{first ? dayText(first.day) : null}</span>
        <span>{last && last !== first ? dayText(last.day) : null}</span>
      </p>
    </Panel>
  )
}

/** Whether a period and the one before it have no payments. */
const isEmpty = ({ total, before }: Figures) => total.settled + total.failed + before.settled + before.failed === 0

type Url = (filters: Record<string, string>) => string

function resourceOf(row: Lists['resources'][number], url: Url): RankedRow {
  const { resource, networks, before, ...sums } = row
  return {
    ...sums,
    key: resource,
    before: before?.volume ?? null,
    note: list.format(networks.map(networkTitle)),
    host: partsOf(resource).host,
    // Without a resource the link would show all settlements.
    name: resource ? (
      <Name href={url({ resource })} text={resource}>
        <ResourceName url={resource} />
      </Name>
    ) : (
      'Unnamed'
    ),
  }
}

const list = new Intl.ListFormat('en')

function payerOf(row: TopPayers['payers'][number], url: Url): RankedRow {
  const { payer, before, ...sums } = row
  return {
    ...sums,
    key: payer,
    before: before?.volume ?? null,
    name: (
      <span className="flex min-w-0 items-center gap-1 font-mono text-sm">
        <Name href={url({ payer })} text={payer}>
          {shortened(payer)}
        </Name>
        <Copyable text={payer} shown="" label="payer" />
      </span>
    ),
  }
}

type LastPeriodProps = { period: SelectedPeriod; days: number; latest: string; plain: boolean }

/** Shows the last period with payments, as long as the empty one. */
function LastPeriod({ period, days, latest, plain }: LastPeriodProps) {
  const last = dateIn(period.zone, new Date(latest))
  const from = dateAfter(last, 1 - days)
  return (
    <Button look={plain ? 'plain' : 'primary'} onClick={() => period.setCustom({ from, to: last })}>
      Show {dayRange(new Date(from), new Date(dateAfter(last, 1)))}
    </Button>
  )
}

function Counted({ most }: { most: number }) {
  return <span className="text-sm text-soft">Of the newest {most.toLocaleString('en')} attempts</span>
}
