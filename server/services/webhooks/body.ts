import type { EventData } from '../../store/webhook-events'
import { displayAddress } from '../../x402/addresses'
import { TEST_EVENT } from '../../x402/webhook-events'

/** The body of an event: the settlement in the words of the merchant's history, with the id that settling answered. Always the same bytes. */
export function eventBody(data: EventData): string {
  const success = data.type === 'payment.settled'
  return JSON.stringify({
    type: data.type,
    timestamp: new Date(data.at).toISOString(),
    data: {
      id: data.settlementId,
      success,
      tx_hash: data.txHash,
      network: data.network,
      payer_amount: data.amount,
      tenant_id: data.tenantId,
      payer: displayAddress(data.payer),
      resource: data.resource,
      pay_to: displayAddress(data.payTo),
      plan: data.plan,
      error_reason: success ? null : (data.reason ?? 'unknown'),
      error_message: success ? null : (data.detail ?? null),
    },
  })
}

/** The body of a test: it tells of no settlement. */
export function testBody(endpointId: string, at: Date): string {
  return JSON.stringify({ type: TEST_EVENT, timestamp: at.toISOString(), data: { endpoint_id: endpointId } })
}
