'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useTRPC } from '../data/trpc'
import { SettlementScreen } from '../settlements/screen'
import { buttonClass } from '../ui/button'
import { Empty } from '../ui/panel'

/** A merchant's settlements. */
export function MerchantSettlements() {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.keys.list.queryOptions(undefined, { staleTime: 60_000 }))
  const keys = data?.keys.map(({ id, name, secrets }) => [id, name || (secrets[0]?.prefix ?? id.slice(0, 8))] as const)
  const start = (
    <Link href="/dashboard/keys" className={buttonClass({ look: 'primary' })}>
      Create an API key
    </Link>
  )
  const empty = (
    <Empty title="No settlements yet" action={start}>
      The first payment with one of your keys appears here.
    </Empty>
  )
  return <SettlementScreen reader="merchant" title="Settlements" empty={empty} {...(keys ? { keys } : {})} />
}
