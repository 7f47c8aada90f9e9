'use client'

import Link from 'next/link'
import { SettlementScreen } from '../settlements/screen'
import { buttonClass } from '../ui/button'
import { Empty } from '../ui/panel'

/** What was settled with the keys of a wallet's agent. */
export function AgentSettlements() {
  const start = (
    <Link href="/agent" className={buttonClass({ look: 'primary' })}>
      Credits and keys
    </Link>
  )
  const empty = (
    <Empty title="Nothing was settled with your keys yet" action={start}>
      Give your server the facilitator URL of one of your keys: the first payment it settles appears here by itself.
    </Empty>
  )
  return <SettlementScreen reader="agent" title="Settlements" empty={empty} />
}
