'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { payerChannelsQuery } from '../../client/channels/queries'
import { useTRPC } from '../../client/trpc'
import { useEnvironment } from '../../client/use-environment'
import { buttonClass } from '../../ui/button'
import { SettlementScreen } from './screen'

/** The payments of a wallet, below its spending and its channels. Who paid through channels only has no payments. */
export function PayerSettlements({ channels, children }: { channels: ReactNode; children: ReactNode }) {
  const { environment } = useEnvironment()
  const query = payerChannelsQuery(useTRPC(), { environment: environment ?? 'mainnet' })
  const { data, error } = useQuery({ ...query, enabled: environment !== undefined })
  const shown = error || (data && data.channels.length > 0) ? channels : null
  // Closed channels are history, as payments are.
  const areClosed = data?.next === null && data.channels.every(({ state }) => state === 'closed')
  const tests = environment === 'testnet'
  const find = (
    <Link href={tests ? '/catalog?environment=testnet' : '/catalog'} className={buttonClass({ look: 'primary' })}>
      {tests ? 'Find a test API' : 'Browse the catalog'}
    </Link>
  )
  const text = 'When this wallet pays an API through Quittance, the payment and its receipt appear here.'
  return (
    <SettlementScreen
      reader="payer"
      title="Payments"
      empty={{ what: 'payments', text, action: find }}
      always={areClosed ? null : shown}
      below={areClosed ? shown : null}
    >
      {children}
    </SettlementScreen>
  )
}
