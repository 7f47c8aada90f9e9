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
import { cx } from '../../ui/class-names'
import { dayText } from '../../ui/dates'
import { headlineText } from '../../ui/figures'
import { later } from '../../ui/later'
import { Panel, Skeleton } from '../../ui/panel'
import { countOf, nameOf, type Spent } from './month'

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
  if (query.error) return <Problem error={query.error} retry={query.refetch} />
  const spending = query.data?.[environment]
  if (!spending) return <Months spent={undefined} hasChannels={hasChannels} />
  return spending.map((spent) => <Months key={spent.symbol} spent={spent} hasChannels={hasChannels} />)
}

type MonthsProps = {
  spent: Spent | undefined
  /** Whether the wallet spends through channels too, which these sums leave out. */
  hasChannels: boolean
}

/**
 * The spending of this month, of all twelve and by day, with a bar for each month if there are payments in several. Without any course a strip
 * of figures; absent without any payment.
 */
function Months({ spent, hasChannels }: MonthsProps) {
  const months = spent?.months
  const token = spent ?? USDC
  const used = months?.filter(({ payments }) => payments > 0)
  if (used?.length === 0) return null
  const newest = months?.at(-1)
  const noteOf = (count: number) => (hasChannels ? `${count.toLocaleString('en')} outside channels` : countOf(count))
  const amount = used?.reduce((sum, month) => sum + BigInt(month.amount), 0n)
  const payments = used?.reduce((sum, month) => sum + month.payments, 0)
  // One bar alone is no course.
  const hasCourse = !spent || spent.days.filter((day) => day.payments > 0).length > 1
  // The same figure does not stand there again under another name.
  const inOne = used?.length === 1 && newest !== undefined && newest.payments > 0
  const average = amount !== undefined && payments ? String(amount / BigInt(payments)) : undefined
  if (spent && newest && !hasCourse && used?.length === 1) {
    const last = spent.days.findLast((day) => day.payments > 0)
    const isFirst = inOne && payments === 1
    return (
      <section aria-label="Spending" className="grid min-w-0 content-center panel p-4">
        <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:flex sm:*:flex-1">
          <Brief
            name="Spent this month"
            note={isFirst ? nameOf(newest.month) : noteOf(newest.payments)}
            className="max-sm:col-span-full"
          >
            {headlineText(newest.amount, token)}
          </Brief>
          {inOne ? null : (
            <Brief name="Last 12 months" note={noteOf(payments ?? 0)}>
              {headlineText(String(amount), token)}
            </Brief>
          )}
          {average !== undefined && payments !== 1 ? (
            <Brief name="Average" note="per payment">
              {headlineText(average, token)}
            </Brief>
          ) : isFirst ? (
            <Brief name="Payments" note={hasChannels ? 'Outside channels' : 'In 12 months'}>
              1
            </Brief>
          ) : null}
          {last ? (
            <Brief name="Last payment" note={`${agoText(spent.days.length - 1 - spent.days.lastIndexOf(last))} (UTC)`}>
              {dayText(last.day)}
            </Brief>
          ) : null}
        </dl>
      </section>
    )
  }
  return (
    <Panel title="Spending">
      <dl className="grid grid-cols-2 gap-y-1 sm:flex sm:flex-wrap sm:*:flex-1">
        <Sum
          name="This month"
          token={token}
          atomic={newest?.amount}
          hint={newest && noteOf(newest.payments)}
          className={inOne ? undefined : 'max-sm:col-span-full'} // With two beside it a figure would break on a phone.
        />
        {inOne ? null : (
          <Sum name="Last 12 months" token={token} atomic={amount?.toString()} hint={payments && noteOf(payments)} />
        )}
        {payments === 1 ? null : <Sum name="Average" token={token} atomic={average} hint="per payment" />}
        {hasCourse ? (
          <div
            className={cx(
              'grid min-w-0 content-start gap-1.5 px-4 py-3 max-sm:col-span-full',
              hasChannels && 'xl:basis-full', // Half as wide, beside them.
            )}
          >
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

/** How many days ago a day was, in words. */
const agoText = (days: number): string => (days === 0 ? 'Today' : days === 1 ? 'Yesterday' : `${days} days ago`)

/** A figure of the strip. */
function Brief({ name, note, className, children }: { name: string; note: string; className?: string; children: ReactNode }) {
  return (
    <div className={cx('grid min-w-0 content-start gap-0.5', className)}>
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="text-xl leading-7 font-semibold tracking-tight wrap-anywhere tabular-nums">{children}</dd>
      <dd className="text-sm text-soft">{note}</dd>
    </div>
  )
}

type SumProps = { name: string; token: Token; atomic: string | undefined; hint: ReactNode; className?: string | undefined }

function Sum({ name, token, atomic, hint, className }: SumProps) {
  return (
    <div className={cx('grid min-w-0 content-start gap-0.5 px-4 py-3', className)}>
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="min-h-8 text-2xl leading-8 font-semibold tracking-tight wrap-anywhere tabular-nums">
        {atomic === undefined ? <Skeleton className="my-1 h-6 w-20" /> : headlineText(atomic, token)}
      </dd>
      <dd className="min-h-5 text-sm text-soft">{hint}</dd>
    </div>
  )
}
