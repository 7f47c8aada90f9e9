import { z } from 'zod'
import { rotation } from '../accounts/procedures'
import { momentInput } from '../http/schemas'
import { merchantProcedure, router } from '../trpc/context'
import { storable } from '../x402/json'
import {
  deliveryOf,
  failingDeliveries,
  pageOfDeliveries,
  resend,
  resendUndelivered,
  sendTest,
  tallyOf,
  undeliveredSince,
} from './deliveries'
import type { DeliveryFilter } from './delivery-queries'
import { filterStates } from './delivery-states'
import { TEST_EVENT, webhookEvents } from './events'
import { configureEndpoint, dropEndpoint, ENDPOINTS_MAX, makeEndpoint, ownEndpoints, rotateEndpointSecret } from './own-endpoints'
import { presentDelivery, presentEndpoint, presentListedEndpoint } from './present'
import { KEYS_MAX, URL_MAX } from './schemas'

const PAGE = 50

const id = z.object({ id: z.uuid() })
const settings = z.object({
  url: storable.trim().max(URL_MAX, `must have at most ${URL_MAX} characters`),
  events: z.array(z.enum(webhookEvents)).min(1, 'must name at least one').max(webhookEvents.length),
  keys: z.array(z.uuid()).max(KEYS_MAX, `must name at most ${KEYS_MAX} keys`),
})
const filter = z.object({
  endpoint: z.uuid().optional(),
  state: z.enum(filterStates).optional(),
  event: z.enum([...webhookEvents, TEST_EVENT]).optional(),
  settlement: z.uuid().optional(),
})

const filterOf = ({ endpoint, settlement, event, state }: z.output<typeof filter>): DeliveryFilter => ({
  endpointId: endpoint,
  settlementId: settlement,
  type: event,
  state,
})

const undelivered = z.object({ since: momentInput.transform((at) => new Date(at)), endpoint: z.uuid().optional() })

/** A merchant's webhooks and their deliveries. Only the response that creates a secret contains it. */
export const webhooks = router({
  list: merchantProcedure.query(async ({ ctx }) => {
    return { most: ENDPOINTS_MAX, endpoints: (await ownEndpoints(ctx.app, ctx.owner)).map(presentListedEndpoint) }
  }),
  create: merchantProcedure.input(settings.extend({ keys: settings.shape.keys.default([]) })).mutation(async ({ ctx, input }) => {
    const { url, events, keys } = input
    const { endpoint, secret } = await makeEndpoint(ctx.app, ctx.owner, { url, events, tenantIds: keys })
    return { ...presentEndpoint(endpoint), secret }
  }),
  configure: merchantProcedure
    .input(settings.partial().extend(id.shape).extend({ enabled: z.boolean().optional() }))
    .mutation(async ({ ctx, input: { id, keys, url, events, enabled } }) => {
      const named = Object.entries({ url, events, tenantIds: keys, enabled }).filter(([, value]) => value !== undefined)
      return presentEndpoint(await configureEndpoint(ctx.app, ctx.owner, id, Object.fromEntries(named)))
    }),
  rotate: merchantProcedure.input(rotation).mutation(async ({ ctx, input }) => {
    const { endpoint, secret } = await rotateEndpointSecret(ctx.app, ctx.owner, input.id, input.graceSeconds)
    return { ...presentEndpoint(endpoint), secret }
  }),
  remove: merchantProcedure.input(id).mutation(({ ctx, input }) => dropEndpoint(ctx.app, ctx.owner, input.id)),
  test: merchantProcedure.input(id).mutation(async ({ ctx, input }) => ({ delivery: await sendTest(ctx.app, ctx, input.id) })),
  deliveries: merchantProcedure
    .input(filter.extend({ cursor: z.uuid().nullish(), limit: z.int().min(1).max(100).default(PAGE) }))
    .query(async ({ ctx, input: { cursor, limit, endpoint, event, settlement, state } }) => {
      const filter = filterOf({ endpoint, event, settlement, state })
      const page = { limit, cursor: cursor ?? null }
      const { deliveries, hasMore } = await pageOfDeliveries(ctx.app, ctx.owner, filter, page)
      return { deliveries: deliveries.map(presentDelivery), cursor: hasMore ? (deliveries.at(-1)?.id ?? null) : null }
    }),
  /** How the deliveries of a list went. */
  summary: merchantProcedure.input(filter).query(({ ctx, input }) => tallyOf(ctx.app, ctx.owner, filterOf(input))),
  /** The deliveries that need the merchant: those that failed lately or are failing. */
  failing: merchantProcedure.query(async ({ ctx }) => {
    const { deliveries, count } = await failingDeliveries(ctx.app, ctx.owner)
    return { deliveries: deliveries.map(presentDelivery), count }
  }),
  delivery: merchantProcedure.input(id).query(async ({ ctx, input }) => {
    const { attempts, ...row } = await deliveryOf(ctx.app, ctx.owner, input.id)
    const tries = attempts.map(({ at, ...attempt }) => ({ ...attempt, at: at.toISOString() }))
    return { ...presentDelivery(row), body: row.body, attempts: tries }
  }),
  resend: merchantProcedure.input(id).mutation(async ({ ctx, input }) => ({ resent: await resend(ctx.app, ctx, input.id) })),
  undelivered: merchantProcedure.input(undelivered).query(async ({ ctx, input: { since, endpoint } }) => ({
    count: await undeliveredSince(ctx.app, ctx.owner, { since, endpointId: endpoint }),
  })),
  resendAll: merchantProcedure
    .input(undelivered.extend({ cursor: z.uuid().nullable() }))
    .mutation(({ ctx, input: { since, endpoint, cursor } }) =>
      resendUndelivered(ctx.app, ctx, { since, endpointId: endpoint, cursor }),
    ),
})
