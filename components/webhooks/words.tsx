import type { inferRouterOutputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import { TEST_EVENT, type WebhookEvent } from '@/server/x402/webhook-events'
import { Badge } from '../ui/badge'

type Outputs = inferRouterOutputs<Root>['webhooks']

export type Endpoint = Outputs['list']['endpoints'][number]
export type Delivery = Outputs['deliveries']['deliveries'][number]

/** What an event means, for who chooses some. */
export const EVENT_MEANINGS: Record<WebhookEvent, string> = {
  'payment.settled': 'The money has moved.',
  'payment.failed': 'A payment that was under way can never move the money.',
  'payment.reversed': 'The chain took back what was told as settled. It is rare.',
}

export const STATES = [
  ['', 'Any state'],
  ['pending', 'Under way'],
  ['delivered', 'Delivered'],
  ['failed', 'Not delivered'],
] as const

const TONES = { pending: 'warn', delivered: 'good', failed: 'bad' } as const
const STATE_WORDS = { pending: 'under way', delivered: 'delivered', failed: 'not delivered' } as const

/** Where a delivery stands. */
export function DeliveryState({ state }: { state: Delivery['state'] }) {
  return <Badge tone={TONES[state]}>{STATE_WORDS[state]}</Badge>
}

/** What the receiver answered last, in a few words. */
export function answerOf({ lastStatus, lastError }: Pick<Delivery, 'lastStatus' | 'lastError'>): string | null {
  return lastError ?? (lastStatus === null ? null : `answered ${lastStatus}`)
}

/** A URL as a list has room for it. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

export const isTest = (event: string): boolean => event === TEST_EVENT
