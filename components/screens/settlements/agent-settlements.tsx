import Link from 'next/link'
import { buttonClass } from '../../ui/button'
import { SettlementScreen } from './screen'

/** What an agent's keys settled. */
export function AgentSettlements() {
  const start = (
    <Link href="/agent" className={buttonClass({ look: 'primary' })}>
      Credits and keys
    </Link>
  )
  const text = 'Set the facilitator URL of a key in your server. Its first settlement appears here.'
  const about = (
    <>
      Payments that your agent keys settled, one credit each. Purchases are under <Link href="/payments">Payments</Link>.
    </>
  )
  const empty = { what: 'settlements', text, action: start }
  return <SettlementScreen reader="agent" title="Agent settlements" about={about} empty={empty} />
}
