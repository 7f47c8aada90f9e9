import type { inferRouterOutputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import { TEST_EVENT, webhookEvents } from '@/server/webhooks/events'
import { Badge } from '../ui/badge'

type Outputs = inferRouterOutputs<Root>['webhooks']

export type Endpoint = Outputs['list']['endpoints'][number]
export type Delivery = Outputs['deliveries']['deliveries'][number]

/** The events of deliveries: those of payments and the like, and tests. */
export const EVENT_NAMES = [...webhookEvents, TEST_EVENT] as const

export const STATES = [
  ['', 'All states'],
  ['undelivered', 'Not delivered'],
  ['pending', 'Retrying'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
] as const

const TONES = { pending: 'warn', delivered: 'good', failed: 'bad' } as const
const STATE_TEXTS = { pending: 'Retrying', delivered: 'Delivered', failed: 'Failed' } as const

/** The state of a delivery. */
export function DeliveryState({ state }: { state: Delivery['state'] }) {
  return <Badge tone={TONES[state]}>{STATE_TEXTS[state]}</Badge>
}

/** The last response of the receiver, as text. */
export function responseOf({ lastStatus, lastError }: Pick<Delivery, 'lastStatus' | 'lastError'>): string | null {
  return lastError ?? (lastStatus === null ? null : ['HTTP', lastStatus, STATUS_TEXTS[lastStatus]].filter(Boolean).join(' '))
}

const STATUS_TEXTS: Record<number, string> = { 500: 'Internal Server Error', 502: 'Bad Gateway', 503: 'Service Unavailable' }

export const isTest = (event: string): boolean => event === TEST_EVENT
