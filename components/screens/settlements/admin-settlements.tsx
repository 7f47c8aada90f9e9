import { SettlementScreen } from './screen'

/** The settlements of all tenants. */
export function AdminSettlements() {
  const text = 'Settlements and failures of all tenants appear here.'
  return <SettlementScreen reader="admin" title="History" empty={{ what: 'settlements', text }} />
}
