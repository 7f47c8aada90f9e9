/** What a merchant can be told of by webhook: how a settlement ended. */
export const webhookEvents = ['payment.settled', 'payment.failed', 'payment.reversed'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** What is sent when somebody asks for it, to see whether it arrives. */
export const TEST_EVENT = 'webhook.test'
