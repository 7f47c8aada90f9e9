'use client'

import { skipToken, useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { parseAsString, useQueryStates } from 'nuqs'
import { USDC } from '@/server/x402/networks/assets'
import { useFigure } from '../../client/analytics/figure-chart'
import { PeriodControls } from '../../client/analytics/period-controls'
import { freshLists, liveFigures } from '../../client/analytics/refresh'
import { usePeriod, withToken } from '../../client/analytics/use-period'
import { AnalyticsView } from '../../client/analytics/view'
import { OwnerAndTenant } from '../../client/owner-and-tenant'
import { Problem } from '../../client/problem'
import { ScreenHead } from '../../client/screen-head'
import { useTRPC } from '../../client/trpc'
import { parseAsUuid } from '../../client/use-filters'
import { buttonClass } from '../../ui/button'
import { later } from '../../ui/later'
import { Panel, Skeleton } from '../../ui/panel'
import { Money } from './money'
import { SignerBalances } from './signer-balances'
import { TopTenants } from './top-tenants'

// It writes a sentence for each thing that can go wrong.
const Attention = later(
  () => import('./attention').then((loaded) => loaded.Attention),
  <Skeleton className="mb-4 h-11 rounded-xl" />,
)

const parsers = { owner: parseAsString, tenant: parseAsUuid }
const SENDERS_MS = 15_000

/** Figures of all tenants, of one owner or of one tenant. */
export function Platform() {
  const trpc = useTRPC()
  const [{ owner, tenant }, change] = useQueryStates(parsers, { history: 'push', clearOnDefault: true })
  const of = { ...(owner ? { owner } : {}), ...(tenant ? { tenant } : {}) }
  const period = usePeriod()
  const drawing = useFigure()
  const input = period.input ? { ...period.input, ...of } : skipToken
  const figures = useQuery(trpc.admin.figures.queryOptions(input, liveFigures))
  const listed = input === skipToken ? skipToken : withToken(input, figures.data)
  const lists = useQuery(trpc.admin.lists.queryOptions(listed, freshLists))
  const topPayers = useQuery(trpc.admin.topPayers.queryOptions(listed, freshLists))
  const dailyPayers = useQuery(trpc.admin.dailyPayers.queryOptions(drawing.figure === 'payers' ? listed : skipToken, freshLists))
  const money = useQuery(trpc.admin.money.queryOptions(input, freshLists))
  // Not batched, so that a slow RPC delays no figure.
  const senders = useQuery(
    trpc.admin.senders.queryOptions(undefined, { refetchInterval: SENDERS_MS, trpc: { context: { alone: true } } }),
  )
  const failed = [figures, lists, topPayers, dailyPayers, money].find(({ error }) => error)
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
        <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
          <OwnerAndTenant filter={of} change={change} />
        </div>
        <PeriodControls period={period} assets={figures.data?.assets} />
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
          lists={lists.data}
          topPayers={topPayers.data}
          dailyPayers={dailyPayers.data}
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
          belowNetworks={<Money money={money.data} />}
        >
          {tenant ? null : (
            <Panel title="Top tenants" action={<span className="text-sm text-soft">Tenant: an API key and its settings</span>}>
              <TopTenants tenants={lists.data?.tenants} token={figures.data?.asset ?? USDC} />
            </Panel>
          )}
        </AnalyticsView>
      )}
    </>
  )
}
