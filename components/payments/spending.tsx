'use client'

import { useQuery } from '@tanstack/react-query'
import type { Environment } from '@/server/x402/networks'
import { useEnvironment } from '../data/environment'
import { EnvironmentSwitch } from '../data/environment-switch'
import { useTRPC } from '../data/trpc'
import { Panel, Problem, Skeleton } from '../ui/panel'
import { type Month, Months } from './months'

/** What a wallet spent per month, on mainnets or on testnets. */
export function Spending() {
  const trpc = useTRPC()
  const query = useQuery(trpc.payer.months.queryOptions())
  const { environment, setEnvironment } = useEnvironment(query.data ? defaultEnvironment(query.data) : 'mainnet')
  return (
    <Panel title="Spent per month" action={<EnvironmentSwitch value={environment} onChange={setEnvironment} />} className="mb-4">
      <div className="p-4">
        {query.error ? <Problem error={query.error} retry={query.refetch} /> : null}
        {query.data ? <Months months={query.data[environment]} /> : <Skeleton className="h-[13.25rem]" />}
      </div>
    </Panel>
  )
}

// Real money, unless there was only the other one.
function defaultEnvironment({ mainnet, testnet }: Record<Environment, Month[]>): Environment {
  const paid = (months: Month[]) => months.some(({ payments }) => payments > 0)
  return !paid(mainnet) && paid(testnet) ? 'testnet' : 'mainnet'
}
