'use client'

import Link from 'next/link'
import { SettlementScreen } from '../settlements/screen'
import { buttonClass } from '../ui/button'
import { Empty } from '../ui/panel'
import { Spending } from './spending'

/** What a wallet paid. */
export function Payments() {
  const find = (
    <Link href="/catalog" className={buttonClass({ look: 'primary' })}>
      Find something to pay for
    </Link>
  )
  const empty = (
    <Empty title="This wallet has paid nothing yet" action={find}>
      What it pays through this facilitator appears here by itself, with a receipt for each payment.
    </Empty>
  )
  return (
    <SettlementScreen reader="payer" title="Payments" empty={empty}>
      <Spending />
    </SettlementScreen>
  )
}
