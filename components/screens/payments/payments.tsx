'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useEnvironment } from '../../client/environment'
import { useTRPC } from '../../client/trpc'
import { buttonClass } from '../../ui/button'
import { Problem } from '../../ui/panel'
import { SettlementScreen } from '../settlements/screen'
import { Spending } from './months'

/** The payments of a wallet. */
export function Payments() {
  const find = (
    <Link href="/catalog" className={buttonClass({ look: 'primary' })}>
      Browse the catalog
    </Link>
  )
  const text = 'Payments of this wallet through this facilitator appear here, each with a receipt.'
  return (
    <SettlementScreen reader="payer" title="Payments" empty={{ what: 'payments', text, action: find }}>
      <SpendingByMonth />
    </SettlementScreen>
  )
}

/** The spending of a wallet per month. */
function SpendingByMonth() {
  const trpc = useTRPC()
  const query = useQuery(trpc.payer.months.queryOptions())
  const { environment = 'mainnet' } = useEnvironment()
  if (query.error) {
    return (
      <div className="mb-4">
        <Problem error={query.error} retry={query.refetch} />
      </div>
    )
  }
  return <Spending spending={query.data?.[environment]} />
}
