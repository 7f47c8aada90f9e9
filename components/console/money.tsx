import type { inferRouterOutputs } from '@trpc/server'
import type { ReactNode } from 'react'
import type { Root } from '@/server/trpc/router'
import { titleOf } from '../settlements/explorer'
import { usdc } from '../ui/figures'
import { Panel, Skeleton } from '../ui/panel'
import { coinAmount } from './coin'

type Sums = inferRouterOutputs<Root>['admin']['money']

/** What a period cost in gas, and what credits brought in. */
export function Money({ money }: { money: Sums | undefined }) {
  return (
    <Panel title="Gas and revenue">
      <dl className="grid gap-3 p-4">
        {money ? <Gas gas={money.gas} /> : <Skeleton className="h-6" />}
        <Line name="Credits sold to agents">{money ? <Sold sold={money.sold} /> : <Skeleton className="h-6 w-24" />}</Line>
      </dl>
      <p className="m-0 px-4 pb-4 text-[0.8125rem] text-soft">
        UTC days. Gas is what our signers paid, from receipts. Revenue is credits less refunds; plans are not sold here.
      </p>
    </Panel>
  )
}

function Gas({ gas }: Pick<Sums, 'gas'>) {
  if (gas.length === 0) return <Line name="Gas spent">None</Line>
  return gas.map(({ network, spent }) => {
    const { shown, exact } = coinAmount(network, spent)
    return (
      <Line key={network} name={`Gas on ${titleOf(network)}`}>
        <span title={exact}>{shown}</span>
      </Line>
    )
  })
}

function Sold({ sold }: Pick<Sums, 'sold'>) {
  if (!sold) return 'Not counted by tenant'
  return (
    <>
      {usdc(sold.paid)} USDC <span className="text-soft">({BigInt(sold.credits).toLocaleString('en')} credits)</span>
    </>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt className="text-soft">{name}</dt>
      <dd className="font-medium tabular-nums">{children}</dd>
    </div>
  )
}
