import type { inferRouterOutputs } from '@trpc/server'
import type { Root } from '@/server/trpc/root'
import { usdc } from '../ui/figures'

type Details = inferRouterOutputs<Root>['settlements']['details']

/** A receipt as JSON: parties, amount, resource and the public transaction. */
export function receiptOf(details: Details) {
  return {
    receipt_for: details.id,
    settlement_id: details.settlementId,
    paid_at: details.createdAt,
    amount_usdc: usdc(details.amount).replaceAll(',', ''),
    amount_atomic: details.amount,
    network: details.network,
    transaction: details.txHash,
    block: details.block,
    payer: details.payer,
    pay_to: details.payTo,
    resource: details.resource,
  }
}
