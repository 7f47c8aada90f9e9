import Link from 'next/link'
import type { ReactNode } from 'react'
import { buttonClass } from '../../ui/button'
import { SettlementScreen } from './screen'

/** The payments of a wallet, below its spending and its channels. Who paid through channels only has no payments. */
export function PayerSettlements({ channels, children }: { channels: ReactNode; children: ReactNode }) {
  const find = (
    <Link href="/catalog" className={buttonClass({ look: 'primary' })}>
      Browse the catalog
    </Link>
  )
  const text = 'When this wallet pays an API through Quittance, the payment and its receipt appear here.'
  return (
    <SettlementScreen reader="payer" title="Payments" empty={{ what: 'payments', text, action: find }} always={channels}>
      {children}
    </SettlementScreen>
  )
}
