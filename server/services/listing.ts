import type { EffectKind } from '../store/outbox'
import { type Listing, listingOf } from '../x402/bazaar'
import type { Payment } from '../x402/payment'
import type { App } from './app'

/** The listing that a payment asks for; why it cannot have one; null when it asks for none. */
export function listingFor(app: Pick<App, 'config'>, payment: Payment): Listing | { rejected: string } | null {
  return listingOf(payment, app.config)
}

/** What has to follow when this payment succeeds. Decided with the claim, so that landing it costs no thought. */
export function wantedEffects(app: Pick<App, 'config'>, payment: Payment): EffectKind[] {
  const listing = listingFor(app, payment)
  return [
    ...(listing && !('rejected' in listing) ? (['catalog'] as const) : []),
    ...(app.config.linksAgents ? (['agents'] as const) : []),
  ]
}
