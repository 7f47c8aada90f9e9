import { z } from 'zod'
import { expected } from '../http/request'
import { component, count, idOf, time } from '../http/schemas'
import { storable } from '../x402/json'
import { deliveryStates, filterStates } from './delivery-states'
import { TEST_EVENT, webhookEvents } from './events'

/** The longest URL of a webhook, and the most keys that it names. */
export const URL_MAX = 2_048
export const KEYS_MAX = 100

const settings = z.strictObject(
  {
    url: storable
      .trim()
      .max(URL_MAX, `must have at most ${URL_MAX} characters`)
      .meta({ description: 'Where we send: https, a public host.', examples: ['https://merchant.example/webhooks'] }),
    events: z
      .array(z.enum(webhookEvents))
      .min(1, 'must name at least one')
      .max(webhookEvents.length)
      .meta({ description: 'What we send.', examples: [['payment.settled', 'payment.failed']] }),
    keys: z
      .array(z.uuid())
      .max(KEYS_MAX, `must name at most ${KEYS_MAX} keys`)
      .meta({ description: 'The ids of the keys that it covers; empty for all, later ones too.', examples: [[]] }),
  },
  expected('a JSON object'),
)

/** The body of `POST /api/me/webhooks`. */
export const newWebhook = component('NewWebhook', settings.extend({ keys: settings.shape.keys.default([]) }))

/** The body of `PATCH /api/me/webhooks/:id`: absent fields stay unchanged. */
export const webhookChanges = component(
  'WebhookChanges',
  settings
    .partial()
    .extend({
      enabled: z
        .boolean()
        .optional()
        .meta({ description: 'False ends its pending deliveries.', examples: [false] }),
    })
    .refine((changes) => Object.keys(changes).length > 0, 'must have at least one field to change'),
)

const fields = {
  id: idOf('the webhook'),
  url: settings.shape.url,
  events: settings.shape.events,
  keys: settings.shape.keys,
  created_at: time,
  disabled_at: time.nullable().meta({ examples: [null] }),
  gone: z.boolean().meta({ description: 'Whether its receiver answered 410 and so disabled it.', examples: [false] }),
  grace_until: time.nullable().meta({ description: 'Until when the earlier secret signs too.', examples: [null] }),
}

/** A webhook without its secret. */
export const webhook = component('Webhook', z.strictObject(fields).describe('Where we send outcomes.'))

/** A webhook with its secret. */
export const webhookWithSecret = component(
  'WebhookWithSecret',
  z
    .strictObject({
      ...fields,
      secret: z.string().meta({ description: 'It verifies signatures. We show it only once.', examples: ['whsec_EXAMPLE'] }),
    })
    .describe('A webhook with its new secret.'),
)

/** A merchant's webhooks. */
export const webhookList = component('Webhooks', z.strictObject({ webhooks: z.array(webhook) }).describe('Newest first.'))

/** The answer to the removal of a webhook. */
export const removedWebhook = component(
  'RemovedWebhook',
  z.strictObject({ id: idOf('the webhook'), removed: z.literal(true) }).describe('The webhook is removed.'),
)

/** The answer to a test. */
export const sentTest = component(
  'SentTest',
  z.strictObject({ delivery_id: idOf('the delivery') }).describe('A test is on its way.'),
)

/** The answer to a resend. */
export const resentDelivery = component(
  'Resent',
  z
    .strictObject({
      resent: z.enum(['again', 'earlier', 'in flight']).meta({
        description: '`again`: after it ended; `earlier`: between two retries; `in flight`: a try was running.',
        examples: ['again'],
      }),
    })
    .describe('The same message is on its way, under its id.'),
)

const delivery = {
  id: z.guid().meta({ description: 'The `webhook-id`.', examples: ['019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234'] }),
  webhook_id: idOf('the webhook'),
  event: z.string().meta({ examples: ['payment.settled'] }),
  settlement_id: idOf('the settlement').nullable(),
  state: z.enum(deliveryStates).meta({ examples: ['delivered'] }),
  tries: count,
  last_status: z
    .int()
    .nullable()
    .meta({ examples: [200] }),
  last_error: z
    .string()
    .nullable()
    .meta({ examples: [null] }),
  created_at: time,
  next_at: time.nullable().meta({ description: 'When we try again.', examples: [null] }),
  ended_at: time.nullable(),
}

/** A page of deliveries. */
export const deliveryPage = component(
  'DeliveryPage',
  z
    .strictObject({
      deliveries: z.array(z.strictObject(delivery)).describe('Newest first.'),
      cursor: z
        .guid()
        .nullable()
        .meta({ description: 'Pass it to get the next page; null on the last one.', examples: [null] }),
    })
    .describe('A page of deliveries.'),
)

/** A delivery with its tries. */
export const wholeDelivery = component(
  'Delivery',
  z
    .strictObject({
      ...delivery,
      body: z
        .string()
        .nullable()
        .meta({ description: 'The message as we sign it; null where none is stored.', examples: ['{}'] }),
      attempts: z
        .array(
          z.strictObject({
            no: count,
            at: time,
            status: z
              .int()
              .nullable()
              .meta({ examples: [200] }),
            error: z
              .string()
              .nullable()
              .meta({ examples: [null] }),
            milliseconds: count,
            answer: z
              .string()
              .nullable()
              .meta({ description: 'The beginning of the response.', examples: ['ok'] }),
          }),
        )
        .describe('Newest first.'),
    })
    .describe('A delivery and each try.'),
)

/** The filters of deliveries. */
export const deliveryFilters = {
  webhook_id: z
    .guid('must be a UUID')
    .optional()
    .meta({ examples: ['019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234'] }),
  state: z
    .enum(filterStates, `must be one of ${filterStates.join(', ')}`)
    .optional()
    .meta({ examples: ['undelivered'] }),
  event: z
    .enum([...webhookEvents, TEST_EVENT], 'must be an event of webhooks')
    .optional()
    .meta({ examples: ['payment.settled'] }),
  settlement_id: z
    .guid('must be a UUID')
    .optional()
    .meta({ examples: ['019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234'] }),
}
