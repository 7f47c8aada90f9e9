import type { inferRouterOutputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import { TEST_EVENT, type WebhookEvent } from '@/server/webhooks/events'
import { Badge } from '../ui/badge'

type Outputs = inferRouterOutputs<Root>['webhooks']

export type Endpoint = Outputs['list']['endpoints'][number]
export type Delivery = Outputs['deliveries']['deliveries'][number]

/** The meaning of each event. */
export const EVENT_MEANINGS: Record<WebhookEvent, string> = {
  'payment.settled': 'The payment settled on-chain.',
  'payment.finalized': 'The network finalized the block of the payment. Nothing can undo it.',
  'payment.failed': 'A payment that passed verification failed and can no longer settle.',
  'payment.reversed': 'A chain reorganization undid a settled payment. This is rare.',
  'alert.quota': 'A quota of the month is used to 80%, and again when it is used up.',
  'alert.failure_rate': 'In the last hour, a quarter of at least 20 payments failed.',
}

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
  return lastError ?? (lastStatus === null ? null : `HTTP ${lastStatus}`)
}

/** The host of a URL, for lists. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

export const isTest = (event: string): boolean => event === TEST_EVENT
