import { z } from 'zod'
import { signedInRate } from '../accounts/caller'
import { rotation } from '../accounts/settings-schemas'
import { ServiceError } from '../base/errors'
import { endpoint } from '../http/endpoint'
import { pageLimit } from '../http/page'
import { clientIp } from '../http/request'
import { idInPath } from '../http/schemas'
import { ownerCredentials } from '../sign-in/credentials'
import { deliveryOf, pageOfDeliveries, resend, sendTest } from './deliveries'
import { configureEndpoint, dropEndpoint, makeEndpoint, ownEndpoints, rotateEndpointSecret } from './own-endpoints'
import { wireDelivery, wireEndpoint, wireWholeDelivery } from './present'
import {
  deliveryFilters,
  deliveryPage,
  newWebhook,
  removedWebhook,
  resentDelivery,
  sentTest,
  webhook,
  webhookChanges,
  webhookList,
  webhookWithSecret,
  wholeDelivery,
} from './schemas'

// The webhooks of the dashboard, for programs.
const reading = { tag: 'Webhooks', rate: signedInRate, credentials: ownerCredentials('webhooks:read') } as const
const writing = { tag: 'Webhooks', rate: signedInRate, credentials: ownerCredentials('webhooks:write') } as const
const unknownId = () => new ServiceError('not_found', 'you have no webhook with this id')
const unknownDelivery = () => new ServiceError('not_found', 'you have no delivery with this id')

export const createWebhook = endpoint({
  ...writing,
  id: 'createWebhook',
  summary: 'Create a webhook',
  description: 'At most ten; a wallet needs a live key first. We show the secret only in this response.',
  body: newWebhook,
  responses: { 201: { description: 'The webhook with its secret.', schema: webhookWithSecret } },
  errors: [400, 401, 403, 404, 409, 413, 429, 503],
  async handler({ app, who, body: { url, events, keys } }) {
    const made = await makeEndpoint(app, who, { url, events, tenantIds: keys })
    return { ...wireEndpoint(made.endpoint), secret: made.secret }
  },
})

export const listWebhooks = endpoint({
  ...reading,
  id: 'listWebhooks',
  summary: 'List your webhooks',
  description: 'Without their secrets.',
  responses: { 200: { description: 'The webhooks.', schema: webhookList } },
  errors: [401, 403, 429, 503],
  handler: async ({ app, who }) => ({ webhooks: (await ownEndpoints(app, who)).map(wireEndpoint) }),
})

export const changeWebhook = endpoint({
  ...writing,
  id: 'changeWebhook',
  summary: 'Change a webhook',
  description: 'Changes only the fields that you send.',
  params: idInPath('webhook'),
  unknownId,
  body: webhookChanges,
  responses: { 200: { description: 'The webhook as it is now.', schema: webhook } },
  errors: [400, 401, 403, 404, 413, 429, 503],
  async handler({ app, who, params, body: { keys, ...changes } }) {
    const named = Object.entries({ ...changes, tenantIds: keys }).filter(([, value]) => value !== undefined)
    return wireEndpoint(await configureEndpoint(app, who, params.id, Object.fromEntries(named)))
  },
})

export const rotateWebhook = endpoint({
  ...writing,
  id: 'rotateWebhook',
  summary: 'Rotate the secret of a webhook',
  description: 'The earlier secret signs too for `grace_seconds`.',
  params: idInPath('webhook'),
  unknownId,
  body: rotation,
  responses: { 200: { description: 'The webhook with its new secret.', schema: webhookWithSecret } },
  errors: [400, 401, 403, 404, 413, 429, 503],
  async handler({ app, who, params, body }) {
    const rotated = await rotateEndpointSecret(app, who, params.id, body.grace_seconds)
    return { ...wireEndpoint(rotated.endpoint), secret: rotated.secret }
  },
})

export const removeWebhook = endpoint({
  ...writing,
  id: 'removeWebhook',
  summary: 'Remove a webhook',
  description: 'Ends its pending deliveries.',
  params: idInPath('webhook'),
  unknownId,
  responses: { 200: { description: 'Removed.', schema: removedWebhook } },
  errors: [401, 403, 404, 413, 429, 503],
  async handler({ app, who, params: { id } }) {
    await dropEndpoint(app, who, id)
    return { id, removed: true as const }
  },
})

export const testWebhook = endpoint({
  ...writing,
  id: 'testWebhook',
  summary: 'Send a test',
  description: 'Sends `webhook.test` once; 50 an hour. Read the delivery for its outcome.',
  params: idInPath('webhook'),
  unknownId,
  responses: { 200: { description: 'On its way.', schema: sentTest } },
  errors: [401, 403, 404, 409, 413, 429, 503],
  handler: async ({ app, request, who, params }) => ({
    delivery_id: await sendTest(app, { owner: who, ip: clientIp(request) }, params.id),
  }),
})

export const listDeliveries = endpoint({
  ...reading,
  id: 'listDeliveries',
  summary: 'List deliveries',
  description: 'What we sent in 30 days, newest first. All given filters must hold.',
  query: z.object({
    limit: pageLimit(50),
    cursor: z
      .guid('must be the cursor of an earlier page')
      .optional()
      .meta({ description: 'The `cursor` of the previous page.', examples: ['019ab1c2-7d3e-7f4a-8b5c-6d7e8f901234'] }),
    ...deliveryFilters,
  }),
  responses: { 200: { description: 'A page.', schema: deliveryPage } },
  errors: [400, 401, 403, 429, 503],
  async handler({ app, who, query: { limit, cursor = null, webhook_id, state, event, settlement_id } }) {
    const filter = { endpointId: webhook_id, settlementId: settlement_id, type: event, state }
    const { deliveries, hasMore } = await pageOfDeliveries(app, who, filter, { limit, cursor })
    return { deliveries: deliveries.map(wireDelivery), cursor: hasMore ? (deliveries.at(-1)?.id ?? null) : null }
  },
})

export const getDelivery = endpoint({
  ...reading,
  id: 'getDelivery',
  summary: 'Read a delivery',
  description: 'With its message and each try.',
  params: idInPath('delivery'),
  unknownId: unknownDelivery,
  responses: { 200: { description: 'The delivery.', schema: wholeDelivery } },
  errors: [401, 403, 404, 429, 503],
  handler: async ({ app, who, params }) => wireWholeDelivery(await deliveryOf(app, who, params.id)),
})

export const resendDelivery = endpoint({
  ...writing,
  id: 'resendDelivery',
  summary: 'Send a delivery again',
  description: 'The same message under the same id. One that ended gets retries for another day.',
  params: idInPath('delivery'),
  unknownId: unknownDelivery,
  responses: { 200: { description: 'On its way.', schema: resentDelivery } },
  errors: [401, 403, 404, 409, 413, 429, 503],
  handler: async ({ app, request, who, params }) => ({
    resent: await resend(app, { owner: who, ip: clientIp(request) }, params.id),
  }),
})
