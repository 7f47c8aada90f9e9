import type { inferRouterOutputs } from '@trpc/server'
import type { Shown } from '@/server/history/present'
import type { Root } from '@/server/trpc/router'

/** Everything about one settlement. */
export type SettlementDetails = inferRouterOutputs<Root>['settlements']['details']

/** What a row knows of a settlement; what it does not know is as if there were none. */
export function detailsOf(row: Shown): SettlementDetails {
  return {
    ...row,
    pending: false,
    settleMs: null,
    state: null,
    block: null,
    steps: [],
    secondAt: null,
    logIndex: null,
    nonce: null,
    finality: null,
    receipt: null,
    receiptUrl: null,
    assetAddress: null,
    facilitator: '',
  }
}
