import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import type { ReactNode } from 'react'
import type { Environment } from '@/server/x402/networks/networks'
import { environmentTitles } from '../../client/environment'
import { Problem } from '../../client/problem'
import { useTRPC } from '../../client/trpc'
import { useEnvironment } from '../../client/use-environment'
import { useSignedWallet, worksInTest } from '../../client/use-signed-wallet'
import { titled } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Chart } from '../../ui/chart/chart'
import { eachDay } from '../../ui/chart/each-day'
import { counts } from '../../ui/chart/scales'
import type { Point, Series } from '../../ui/chart/series'
import type { SparkDay } from '../../ui/chart/sparkline-drawing'
import { dayText } from '../../ui/dates'
import { partText, volumesText } from '../../ui/figures'
import { later } from '../../ui/later'
import { Meter } from '../../ui/meter'
import { Panel, Skeleton } from '../../ui/panel'
import { DAYS, keySumsQuery, oneKeyActivityQuery, type WholeKey } from './queries'
import { QuotaBar } from './quota'

// It holds the causes of all reasons.
const LastFailure = later(() => import('./last-failure').then((loaded) => loaded.LastFailure))

/** What a key settled in 30 days, and what is left of its quota. */
export function KeyUse({ apiKey }: { apiKey: WholeKey }) {
  const { id } = apiKey
  const trpc = useTRPC()
  const { environment, setEnvironment } = useEnvironment()
  const wallet = useSignedWallet()
  const activity = useQuery({
    ...oneKeyActivityQuery(trpc, id, environment ?? 'mainnet'),
    enabled: environment !== undefined,
  })
  const sums = useQuery({ ...keySumsQuery(trpc, id, environment ?? 'mainnet'), enabled: environment !== undefined })
  const days = activity.data === undefined ? undefined : eachDay(activity.data?.days ?? [], DAYS)
  const none = days?.every(({ count }) => count === 0) ?? false
  const lastFailure = activity.data?.lastFailure ?? null
  const settlements = `/dashboard/settlements?${new URLSearchParams({ key: id, ...(environment ? { environment } : {}) })}`
  return (
    <Panel
      title="Usage of this key"
      action={
        <Link href={settlements} className="text-sm">
          View settlements
        </Link>
      }
    >
      <div className="grid grid-cols-1 gap-2 px-4 py-3">
        {activity.error ? (
          <Problem error={activity.error} retry={activity.refetch} />
        ) : none ? (
          <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm text-soft">
            <p>No {environment ? environmentTitles[environment] : ''} payments in the last 30 days</p>
            {environment && worksInTest(wallet) ? (
              <Button size="small" onClick={() => setEnvironment(otherOf(environment))}>
                Show {environmentTitles[otherOf(environment)]} payments
              </Button>
            ) : null}
          </div>
        ) : (
          <Chart
            what="Settlements by day"
            title={
              <Total
                days={days}
                money={sums.error ? '–' : sums.data?.more ? '' : sums.data && volumesText(sums.data.volumes)}
                where={environment ? environmentTitles[environment] : ''}
                settlements={settlements}
              />
            }
            series={SERIES}
            points={days?.map(pointOf)}
            scale={counts}
            plot="h-40"
          />
        )}
        {lastFailure || !none ? (
          <p className="min-h-5 text-sm text-soft">
            {lastFailure ? (
              <LastFailure {...lastFailure} settlements={settlements} />
            ) : activity.data ? (
              'No recent failures'
            ) : null}
          </p>
        ) : null}
      </div>
      <KeyQuota apiKey={apiKey} />
    </Panel>
  )
}

/** What the keys of a plan used of their month, or a key with a quota of its own. */
function KeyQuota({ apiKey: { plan, quota, verifications, ownQuota } }: { apiKey: WholeKey }) {
  const where = worksInTest(useSignedWallet()) ? 'Live and Test' : 'Live'
  const used = verifications.limit - verifications.left
  return (
    <section aria-label="Quota" className="grid gap-3 border-t p-4 text-sm">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="font-medium">{quota.resetAt === null ? 'Quota' : 'Monthly quota'}</span>
        <span className="text-soft">{`${ownQuota ? 'This key' : `All ${titled(plan)} keys`}, ${where}`}</span>
      </p>
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <QuotaBar {...quota} unit="settlements" />
        <div className="grid content-start gap-1">
          <span className="tabular-nums">
            {used.toLocaleString('en')} of {verifications.limit.toLocaleString('en')}{' '}
            <span className="text-soft">verifications</span>
          </span>
          <Meter label="Verifications used" value={used} limit={verifications.limit} alarming={verifications.left === 0} />
        </div>
      </div>
    </section>
  )
}

const otherOf = (environment: Environment): Environment => (environment === 'mainnet' ? 'testnet' : 'mainnet')

type TotalProps = {
  days: readonly SparkDay[] | undefined
  /** Undefined while it loads; empty if it is not of all payments. */
  money: string | undefined
  where: string
  settlements: string
}

/** What a key earned, from how many payments, and how many failed. */
function Total({ days, money, where, settlements }: TotalProps) {
  const sum = (of: 'count' | 'failed') => days?.reduce((total, day) => total + day[of], 0) ?? 0
  const [count, failed] = [sum('count'), sum('failed')]
  return (
    <div className="text-sm text-soft">
      <p>Last 30 days, {where}</p>
      <dl className="mt-1 flex min-h-12 flex-wrap gap-x-8 gap-y-1">
        {money === '' ? null : <Figure name="Volume">{money ?? <Skeleton className="my-1.5 h-4 w-24" />}</Figure>}
        {days ? <Figure name="Settled">{(count - failed).toLocaleString('en')}</Figure> : null}
        {failed > 0 ? (
          <Figure name="Failed">
            <Link href={`${settlements}&status=failed&from=${days?.[0]?.day}T00:00:00.000Z`} className="text-ink">
              {failed.toLocaleString('en')}
            </Link>{' '}
            <span className="text-sm font-normal text-soft">{partText(failed / count)}</span>
          </Figure>
        ) : null}
      </dl>
    </div>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="text-lg font-semibold text-ink tabular-nums">{children}</dd>
    </div>
  )
}

const SERIES: Series[] = [
  { key: 'settled', name: 'Settled', color: 'var(--accent)', form: 'bar' },
  { key: 'failed', name: 'Failed', color: 'var(--bad)', form: 'bar' },
]

function pointOf({ day, count, failed }: SparkDay, at: number): Point {
  const settled = count - failed
  const partial = at === DAYS - 1
  return {
    key: day,
    tick: partial ? 'Today' : dayText(day),
    title: partial ? `Today so far, ${dayText(day)}` : dayText(day, 'long'),
    partial,
    values: { settled, failed },
    shown: { settled: settled.toLocaleString('en'), failed: failed.toLocaleString('en') },
  }
}
