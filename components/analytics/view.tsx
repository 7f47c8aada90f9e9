import type { inferRouterOutputs } from '@trpc/server'
import type { ReactNode } from 'react'
import type { Root } from '@/server/trpc/router'
import { titleOf } from '../settlements/explorer'
import { Copyable, shortened } from '../ui/copyable'
import { usdc } from '../ui/figures'
import { later } from '../ui/later'
import { Empty, Panel } from '../ui/panel'
import { ResourceName } from '../ui/resource-name'
import type { DailyPayers, Figures } from './figure'
import { FigureChart, type useFigure } from './figure-chart'
import { List, Name, settlementsIn } from './line-list'
import { type Listing, settlementsUrl } from './links'
import { Ranked, type RankedRow } from './ranked'
import type { SelectedPeriod } from './use-period'

// It holds the causes and remedies of all reasons.
const Failures = later(() => import('./failures').then((loaded) => loaded.Failures), <List lines={undefined} empty="" />)

export type Lists = inferRouterOutputs<Root>['merchant']['lists']
export type TopPayers = inferRouterOutputs<Root>['merchant']['topPayers']

type Props = {
  period: SelectedPeriod
  drawing: ReturnType<typeof useFigure>
  figures: Figures | undefined
  lists: Lists | undefined
  topPayers: TopPayers | undefined
  dailyPayers: DailyPayers | undefined
  listing: Listing
  /** What to do before the first settlement. */
  start: ReactNode
  /** Whether the reader runs this facilitator. */
  forOperator?: boolean
  children?: ReactNode
}

/** Figures, chart and lists of a period. `children` stand below the failures, before the tables. */
export function AnalyticsView({ period, drawing, figures, lists, topPayers, dailyPayers, listing, start, ...rest }: Props) {
  const { forOperator = false, children } = rest
  if (figures && isEmpty(figures)) {
    return (
      <>
        <Panel>
          <Empty title="No settlements in this period" action={start}>
            Settlements appear here as they happen, today’s included. Choose a longer period, or switch between Live and Test.
          </Empty>
        </Panel>
        {children ? <div className="mt-4 grid gap-4">{children}</div> : null}
      </>
    )
  }
  const inPeriod = rangeOf(figures)
  const url = (filters: Record<string, string>) => settlementsUrl(listing, period, { ...inPeriod, ...filters })
  return (
    <div className="grid gap-4">
      <FigureChart
        {...{ period, drawing, dailyPayers, listing }}
        data={figures}
        payers={lists && { payers: lists.payers, before: lists.before, without: lists.without }}
      />
      <div className="grid gap-4 lg:grid-cols-2 lg:items-start">
        <Panel title="Failures">
          <Failures reasons={figures?.reasons} codes={forOperator} hrefOf={(reason) => url({ status: 'failed', reason })} />
        </Panel>
        <Panel title="Networks">
          <List
            lines={figures?.networks.map(({ network, settled, failed, volume }) => ({
              key: network,
              name: titleOf(network),
              note: settlementsIn(settled + failed),
              value: `${usdc(volume)} USDC`,
              href: url({ network }),
            }))}
            empty="No networks used."
          />
        </Panel>
      </div>
      {children}
      <Panel title="Top resources">
        <Ranked
          what="Top resources"
          first="Resource"
          rows={lists?.resources.map((row) => resourceOf(row, url))}
          empty="No paid resources."
        />
      </Panel>
      <Panel title="Top payers" action={topPayers?.more ? <Counted most={topPayers.counted} /> : undefined}>
        <Ranked
          what="Top payers"
          first="Payer"
          rows={topPayers?.payers.map((row) => payerOf(row, url))}
          empty="No payers."
          withLast
        />
      </Panel>
    </div>
  )
}

const isEmpty = ({ total, before }: Figures) => total.settled + total.failed + before.settled + before.failed === 0

/** The instants of a period, as filters of a list. */
function rangeOf(figures: Figures | undefined): { from: string; to: string } | Record<string, never> {
  const [first, last] = [figures?.days[0], figures?.days.at(-1)]
  return first && last ? { from: first.from, to: last.until } : {}
}

type Url = (filters: Record<string, string>) => string

function resourceOf({ resource, payTo, network, count, good, volume }: Lists['resources'][number], url: Url): RankedRow {
  return {
    ...{ key: `${resource} ${payTo} ${network}`, count, good, volume },
    note: (
      <>
        {titleOf(network)}, paid to{' '}
        <span title={payTo} className="font-mono text-xs">
          {shortened(payTo)}
        </span>
      </>
    ),
    // Without a resource the link would show all settlements.
    name: resource ? (
      <Name href={url({ resource, network })} text={resource}>
        <ResourceName url={resource} />
      </Name>
    ) : (
      'Unnamed'
    ),
  }
}

function payerOf({ payer, count, good, volume, last }: TopPayers['payers'][number], url: Url): RankedRow {
  return {
    ...{ key: payer, count, good, volume, last },
    name: (
      <span className="flex items-center gap-1 font-mono text-[0.8125rem]">
        <Name href={url({ payer })} text={payer}>
          {shortened(payer)}
        </Name>
        <Copyable text={payer} shown="" label="payer" />
      </span>
    ),
  }
}

function Counted({ most }: { most: number }) {
  return <span className="text-[0.8125rem] text-soft">Of the newest {most.toLocaleString('en')} settlements</span>
}
