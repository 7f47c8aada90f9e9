'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useTRPC } from '../data/trpc'
import { SettlementScreen } from '../settlements/screen'
import { buttonClass } from '../ui/button'

/** A merchant's settlements. */
export function MerchantSettlements() {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.keys.list.queryOptions(undefined, { staleTime: 60_000 }))
  const keys = data?.keys.map(({ id, name }) => [id, name || id.slice(0, 8)] as const) ?? []
  const start = (
    <Link href="/dashboard/start" className={buttonClass({ look: 'primary' })}>
      Open quick start
    </Link>
  )
  const empty = { what: 'settlements', text: 'The first payment with one of your keys appears here.', action: start }
  return <SettlementScreen reader="merchant" title="Settlements" empty={empty} keys={keys} />
}
