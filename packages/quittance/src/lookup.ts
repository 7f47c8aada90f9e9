import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import type { Settlement } from './answers'
import { fieldOf } from './payment-key'

const TIMEOUT_MS = 10_000

/**
 * The settlements of a signed payment that the owner of this facilitator URL made, oldest first. With `peek` the facilitator does not count
 * this as the payment's answer. Throws if the facilitator does not answer or refuses.
 */
export async function lookUp(
  url: string,
  paymentPayload: PaymentPayload,
  paymentRequirements: PaymentRequirements,
  { peek }: { peek: boolean },
): Promise<Settlement[]> {
  const response = await fetch(`${url}/settlements/lookup${peek ? '?peek=true' : ''}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ x402Version: paymentPayload.x402Version, paymentPayload, paymentRequirements }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (response.status === 404) return []
  if (!response.ok) throw new Error(`the lookup was answered with ${response.status}`)
  const found = fieldOf(await response.json(), 'settlements')
  return Array.isArray(found) ? found.filter(isOwn) : []
}

/** Others learn only what became of a payment: an answer without an id is no answer for its owner. */
function isOwn(found: unknown): found is Settlement {
  const texts = ['id', 'state', 'transaction', 'network', 'amount', 'resource', 'payer', 'pay_to', 'created_at']
  return texts.every((name) => typeof fieldOf(found, name) === 'string')
}
