'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { heightsOf } from '@/server/base/heights'
import { type Token, USDC } from '@/server/x402/networks/assets'
import { payerChannelsQuery } from '../../client/channels/queries'
import { Problem } from '../../client/problem'
import { monthsQuery } from '../../client/queries'
import { useTRPC } from '../../client/trpc'
import { useEnvironment } from '../../client/use-environment'
import { Course } from '../../ui/chart/course'
import { dayText } from '../../ui/dates'
import { headlineText } from '../../ui/figures'
import { later } from '../../ui/later'
import { Panel, Skeleton } from '../../ui/panel'
import { countOf, type Spent } from './month'

// Few wallets paid in several months.
const MonthBars = later(() => import('./month-bars').then((loaded) => loaded.MonthBars), <Skeleton className="h-[19rem]" />)

/** The spending of a wallet per month, for each token that was paid. */
export function SpendingByMonth() {
  const trpc = useTRPC()
  const query = useQuery(monthsQuery(trpc))
  const selected = useEnvironment()
  const environment = selected.environment ?? 'mainnet'
  // The first page of the list below.
  const paid = useQuery({ ...payerChannelsQuery(trpc, { environment }), enabled: selected.environment !== undefined })
  const hasChannels = paid.data !== undefined && paid.data.channels.length > 0
  if (query.error) {
    return (
      <div className="mb-4">
        <Problem error={query.error} retry={query.refetch} />
      </div>
    )
  }
  const spending = query.data?.[environment]
  if (!spending) return <Months spent={undefined} hasChannels={hasChannels} />
  return spending.map((spent) => <Months key={spent.symbol} spent={spent} hasChannels={hasChannels} />)
}

type MonthsProps = {
  spent: Spent | undefined
  /** Whether the wallet spends through channels too, which these sums leave out. */
  hasChannels: boolean
}

/** The spending of this month, of all twelve and by day, with a bar for each month if there are payments in several. Absent without any. */
function Months({ spent, hasChannels }: MonthsProps) {
  const months = spent?.months
  const token = spent ?? USDC
  const used = months?.filter(({ payments }) => payments > 0)
  if (used?.length === 0) return null
  const newest = months?.at(-1)
  const noteOf = (count: number) => (hasChannels ? `${countOf(count)}, without channels` : countOf(count))
  const amount = used?.reduce((sum, month) => sum + BigInt(month.amount), 0n)
  const payments = used?.reduce((sum, month) => sum + month.payments, 0)
  // One bar alone is no course.
  const hasCourse = !spent || spent.days.filter((day) => day.payments > 0).length > 1
  // The same figure does not stand there again under another name.
  const inOne = used?.length === 1 && newest !== undefined && newest.payments > 0
  return (
    <Panel title="Spending" className="mb-4">
      <dl className="flex flex-wrap gap-y-1 *:flex-1">
        <Sum name="This month" token={token} atomic={newest?.amount} hint={newest && noteOf(newest.payments)} />
        {inOne ? null : (
          <Sum name="Last 12 months" token={token} atomic={amount?.toString()} hint={payments && noteOf(payments)} />
        )}
        {payments === 1 ? null : (
          <Sum
            name="Average"
            token={token}
            atomic={amount !== undefined && payments ? String(amount / BigInt(payments)) : undefined}
            hint="per payment"
          />
        )}
        {hasCourse ? (
          <div className="grid min-w-0 content-start gap-1.5 px-4 py-3 max-sm:basis-full">
            <dt className="text-sm text-soft">Last 30 days</dt>
            <dd>
              {spent ? (
                <>
                  <Course heights={heightsOf(spent.days.map(({ amount }) => BigInt(amount)))} wide />
                  <span className="mt-0.5 flex justify-between text-xs text-soft">
                    <span>{dayText(spent.days[0]?.day ?? '')}</span>
                    <span>Today (UTC)</span>
                  </span>
                </>
              ) : (
                <Skeleton className="h-14.5" />
              )}
            </dd>
          </div>
        ) : null}
      </dl>
      {spent && used && used.length > 1 ? (
        <div className="border-t p-4">
          <MonthBars spent={spent} />
        </div>
      ) : null}
    </Panel>
  )
}

type SumProps = { name: string; token: Token; atomic: string | undefined; hint: ReactNode }

function Sum({ name, token, atomic, hint }: SumProps) {
  return (
    <div className="grid min-w-0 content-start gap-0.5 px-4 py-3">
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="min-h-8 text-2xl leading-8 font-semibold tracking-tight wrap-anywhere tabular-nums">
        {atomic === undefined ? <Skeleton className="my-1 h-6 w-20" /> : headlineText(atomic, token)}
      </dd>
      <dd className="min-h-5 text-sm text-soft">{hint}</dd>
    </div>
  )
}
