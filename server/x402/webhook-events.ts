/** The events of a webhook: the outcomes of a settlement. */
export const webhookEvents = ['payment.settled', 'payment.failed', 'payment.reversed'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** The event of a test delivery. */
export const TEST_EVENT = 'webhook.test'
