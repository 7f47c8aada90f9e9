import type { inferRouterOutputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'

/** The state of networks, signers in quarantine, queues, webhooks and screening. */
export type OperationsStatus = inferRouterOutputs<Root>['admin']['standing']

/** One of our signers with its gas balance. */
export type Sender = inferRouterOutputs<Root>['admin']['senders'][number]
