import { paymentEvents } from '../ledger/states'

/** The events about an owner's use of the service. */
const alertEvents = ['alert.quota', 'alert.failure_rate', 'alert.credits', 'alert.channel'] as const
export type AlertEvent = (typeof alertEvents)[number]

/** The events about an owner's entries in the catalog. */
export const listingEvents = ['listing.listed', 'listing.changed', 'listing.expiring', 'listing.taken'] as const
export type ListingEvent = (typeof listingEvents)[number]

/** The event about our signers, which only the operator's endpoint gets. */
export const SIGNER_ALERT = 'alert.signer_gas'

/** The events that a merchant's webhook can get. */
export const webhookEvents = [...paymentEvents, ...alertEvents, ...listingEvents] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** The same events by what they are about. */
export const eventGroups: readonly (readonly [name: string, events: readonly WebhookEvent[]])[] = [
  ['Payments', paymentEvents],
  ['Alerts', alertEvents],
  ['Listings', listingEvents],
]

/** The event of a test delivery. */
export const TEST_EVENT = 'webhook.test'
