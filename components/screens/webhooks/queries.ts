import type { inferRouterInputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import type { Trpc } from '../../client/trpc'

type Input = NonNullable<inferRouterInputs<Root>['webhooks']['deliveries']>

/** A page of deliveries. */
export const deliveriesQuery = (trpc: Trpc, input: Input = {}) => trpc.webhooks.deliveries.queryOptions({ ...input, limit: 25 })

/** How the deliveries of a filter went. */
export const deliveryTallyQuery = (trpc: Trpc, input: inferRouterInputs<Root>['webhooks']['summary']) =>
  trpc.webhooks.summary.queryOptions(input)

/** The deliveries that failed lately or are failing. */
export const failingQuery = (trpc: Trpc) => trpc.webhooks.failing.queryOptions()
