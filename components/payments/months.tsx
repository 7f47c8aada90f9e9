'use client'

import type { ReactNode } from 'react'
import { usdc } from '../ui/figures'
import { later } from '../ui/later'
import { Panel, Skeleton } from '../ui/panel'
import { countOf, type Month } from './month'

// Few wallets paid in several months.
const MonthBars = later(() => import('./month-bars').then((loaded) => loaded.MonthBars), <Skeleton className="h-[19rem]" />)

type Props = { /** Twelve months, this one last; undefined while they load. */ months: readonly Month[] | undefined }

/** The spending of this month and of all twelve, with a bar for each if there are payments in several. Absent without any. */
export function Months({ months }: Props) {
  const used = months?.filter(({ payments }) => payments > 0)
  if (used?.length === 0) return null
  const newest = months?.at(-1)
  const amount = used?.reduce((sum, month) => sum + BigInt(month.amount), 0n)
  const payments = used?.reduce((sum, month) => sum + month.payments, 0)
  return (
    <Panel title="Spending" className="mb-4">
      <dl className="grid grid-cols-3 divide-x divide-line">
        <Sum name="This month" atomic={newest?.amount} hint={newest && countOf(newest.payments)} />
        <Sum name="Last 12 months" atomic={amount?.toString()} hint={payments && countOf(payments)} />
        <Sum
          name="Average"
          atomic={amount !== undefined && payments ? String(amount / BigInt(payments)) : undefined}
          hint="per payment"
        />
      </dl>
      {months && used && used.length > 1 ? (
        <div className="border-0 border-t border-solid border-line p-4">
          <MonthBars months={months} />
        </div>
      ) : null}
    </Panel>
  )
}

type SumProps = { name: string; atomic: string | undefined; hint: ReactNode }

function Sum({ name, atomic, hint }: SumProps) {
  return (
    <div className="grid min-w-0 content-start gap-0.5 px-4 py-3 max-sm:px-2.5">
      <dt className="text-[0.8125rem] text-soft">{name}</dt>
      <dd className="font-semibold wrap-anywhere tabular-nums sm:text-xl">
        {atomic === undefined ? (
          <Skeleton className="my-1 h-5 w-16" />
        ) : (
          <>
            {usdc(atomic)} <span className="text-[0.8125rem] font-normal text-soft">USDC</span>
          </>
        )}
      </dd>
      <dd className="min-h-5 text-[0.8125rem] text-soft">{hint}</dd>
    </div>
  )
}
