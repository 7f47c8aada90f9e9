'use client'

import { skipToken, useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { parseAsString, useQueryStates } from 'nuqs'
import type { ReactNode } from 'react'
import { keyNameAmong } from '@/server/accounts/key-name'
import { useFigure } from '../../client/analytics/figure-chart'
import { Name } from '../../client/analytics/line-list'
import { PeriodControls } from '../../client/analytics/period-controls'
import { Ranked } from '../../client/analytics/ranked'
import { usePeriod } from '../../client/analytics/use-period'
import { AnalyticsView, type Overview, rankedOf } from '../../client/analytics/view'
import { OwnerAndTenant } from '../../client/owner-and-tenant'
import { Problem } from '../../client/problem'
import { REFRESH_MS } from '../../client/refresh'
import { ScreenHead } from '../../client/screen-head'
import { useTRPC } from '../../client/trpc'
import { parseAsUuid } from '../../client/use-filters'
import { buttonClass } from '../../ui/button'
import { later } from '../../ui/later'
import { Panel, Skeleton } from '../../ui/panel'
import { shortened } from '../../ui/shortened'
import { figuresQuery, moneyQuery, overviewQuery, sendersQuery } from './queries'

// It writes a sentence for each thing that can go wrong.
const Attention = later(
  () => import('./attention').then((loaded) => loaded.Attention),
  <Skeleton className="mb-4 h-11 rounded-xl" />,
)

// Its balances come later than the figures.
const SignerBalances = later(
  () => import('./signer-balances').then((loaded) => loaded.SignerBalances),
  <Panel title="Signer balances">
    <Skeleton className="m-4 h-[5.75rem]" />
  </Panel>,
)

// So does what the period cost.
const GasAndRevenue = later(
  () => import('./money').then((loaded) => loaded.GasAndRevenue),
  <Panel title="Gas and revenue">
    <Skeleton className="m-4 h-44" />
  </Panel>,
)

const parsers = { owner: parseAsString, tenant: parseAsUuid }

/** Figures of all tenants, of one owner or of one tenant. */
export function Platform() {
  const trpc = useTRPC()
  const [{ owner, tenant }, change] = useQueryStates(parsers, { history: 'push', clearOnDefault: true })
  const of = { ...(owner ? { owner } : {}), ...(tenant ? { tenant } : {}) }
  const period = usePeriod()
  const drawing = useFigure()
  const input = period.input ? { ...period.input, ...of } : skipToken
  const drawsPayers = input !== skipToken && drawing.figure === 'payers'
  const byDay = useQuery(overviewQuery(trpc, drawsPayers ? { ...input, payersByDay: true } : skipToken))
  const usual = useQuery(overviewQuery(trpc, byDay.data ? skipToken : input))
  const overview = byDay.data ?? usual.data
  const figures = useQuery(figuresQuery(trpc, overview ? skipToken : input))
  const money = useQuery(moneyQuery(trpc, input))
  const senders = useQuery({ ...sendersQuery(trpc), refetchInterval: REFRESH_MS.platform })
  const failed = [figures, usual, byDay, money].find(({ error }) => error)
  const history = (
    <Link
      href={Object.keys(of).length > 0 ? `/console/history?${new URLSearchParams(of)}` : '/console/history'}
      className={buttonClass()}
    >
      View history
    </Link>
  )
  return (
    <>
      <ScreenHead title="Platform">
        <OwnerAndTenant filter={of} change={change} />
        <PeriodControls period={period} assets={(overview?.figures ?? figures.data)?.assets} />
      </ScreenHead>
      {/* One error says enough. */}
      {failed?.error ? null : <Attention senders={senders} />}
      {failed?.error ? (
        <Problem error={failed.error} retry={failed.refetch} />
      ) : (
        <AnalyticsView
          period={period}
          drawing={drawing}
          figures={figures.data}
          overview={overview}
          listing={{ path: '/console/history', of }}
          start={history}
          forOperator
          belowFailures={
            <SignerBalances
              senders={senders.data}
              environment={period.environment}
              error={senders.error}
              retry={senders.refetch}
            />
          }
          belowNetworks={<GasAndRevenue money={money.data} />}
        >
          {tenant ? null : (
            <Panel title="Top tenants" action={<span className="text-sm text-soft">Tenant: an API key and its settings</span>}>
              <TopTenants overview={overview} />
            </Panel>
          )}
        </AnalyticsView>
      )}
    </>
  )
}

/** The tenants that lead in a period. Each opens its own page. */
function TopTenants({ overview }: { overview: Overview | undefined }) {
  const rows = overview?.lists.tenants.map(({ tenantId, name, ownerKind, owner, count, good, volume, before }) => ({
    key: tenantId,
    note: noteOf(ownerKind, owner),
    count,
    good,
    volume,
    before: before?.volume ?? null,
    name: <Name href={`/console/tenants/${tenantId}`} text={keyNameAmong({ id: tenantId, name })} />,
  }))
  return <Ranked what="Top tenants" first="Tenant" rows={rows} {...rankedOf(overview?.figures)} empty="No tenants." />
}

// As in the history: the operator's own tenants have no owner to name.
function noteOf(kind: string, owner: string): ReactNode {
  if (kind === 'system') return 'Operator'
  if (kind !== 'wallet') return owner
  return (
    <span title={owner} className="font-mono text-xs">
      {shortened(owner)}
    </span>
  )
}
