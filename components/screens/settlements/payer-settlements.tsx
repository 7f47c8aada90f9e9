'use client'

import Link from 'next/link'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../client/use-environment'
import { buttonClass } from '../../ui/button'
import { SettlementScreen } from './screen'

/** The payments of a wallet, below its spending and its channels. Who paid through channels only has no payments. */
export function PayerSettlements({ channels, children }: { channels: ReactNode; children: ReactNode }) {
  const tests = useEnvironment().environment === 'testnet'
  const find = (
    <Link href={tests ? '/catalog?environment=testnet' : '/catalog'} className={buttonClass({ look: 'primary' })}>
      {tests ? 'Find a test API' : 'Browse the catalog'}
    </Link>
  )
  const text = 'When this wallet pays an API through Quittance, the payment and its receipt appear here.'
  return (
    <SettlementScreen reader="payer" title="Payments" empty={{ what: 'payments', text, action: find }} always={channels}>
      {children}
    </SettlementScreen>
  )
}
