'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import type { Environment } from '@/server/x402/networks'
import { useEnvironment } from '../data/environment'
import { EnvironmentSwitch } from '../data/environment-switch'
import { useTRPC } from '../data/trpc'
import { SettlementScreen } from '../settlements/screen'
import { buttonClass } from '../ui/button'
import { Empty, Panel, Problem, Skeleton } from '../ui/panel'
import { type Month, Months } from './months'

/** The payments of a wallet. */
export function Payments() {
  const find = (
    <Link href="/catalog" className={buttonClass({ look: 'primary' })}>
      Browse the catalog
    </Link>
  )
  const empty = (
    <Empty title="No payments yet" action={find}>
      Payments of this wallet through this facilitator appear here, each with a receipt.
    </Empty>
  )
  return (
    <SettlementScreen reader="payer" title="Payments" empty={empty}>
      <Spending />
    </SettlementScreen>
  )
}

/** The spending of a wallet per month, on mainnets or testnets. */
function Spending() {
  const trpc = useTRPC()
  const query = useQuery(trpc.payer.months.queryOptions())
  const { environment, setEnvironment } = useEnvironment(query.data ? defaultEnvironment(query.data) : 'mainnet')
  return (
    <Panel
      title="Spending per month"
      action={<EnvironmentSwitch value={environment} onChange={setEnvironment} />}
      className="mb-4"
    >
      <div className="p-4">
        {query.error ? <Problem error={query.error} retry={query.refetch} /> : null}
        {query.data ? <Months months={query.data[environment]} /> : <Skeleton className="h-[13.25rem]" />}
      </div>
    </Panel>
  )
}

// Mainnet, unless only testnet payments exist.
function defaultEnvironment({ mainnet, testnet }: Record<Environment, Month[]>): Environment {
  const paid = (months: Month[]) => months.some(({ payments }) => payments > 0)
  return !paid(mainnet) && paid(testnet) ? 'testnet' : 'mainnet'
}
