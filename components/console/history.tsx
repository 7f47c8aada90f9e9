'use client'

import { SettlementScreen } from '../settlements/screen'
import { Empty } from '../ui/panel'

const NOTHING = <Empty title="Nothing was settled yet">What anybody settles or fails to settle here appears by itself.</Empty>

/** Everybody's settlements. */
export function ConsoleHistory() {
  return <SettlementScreen reader="admin" title="History" empty={NOTHING} />
}
