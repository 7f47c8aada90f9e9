import type { inferRouterOutputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import { Badge } from '../../ui/badge'

/** A channel of a list. */
export type Channel = inferRouterOutputs<Root>['merchant']['channels']['channels'][number]

/** A channel of a list of its payer. */
export type PaidChannel = inferRouterOutputs<Root>['wallet']['channels']['channels'][number]

/** The states of channels in words. */
export const STATES = { open: 'Open', withdrawing: 'Withdrawing', closed: 'Closed' } as const satisfies Record<
  Channel['state'],
  string
>

const TONES = { open: 'good', withdrawing: 'warn', closed: 'plain' } as const

/** How a channel stands. */
export function ChannelState({ state }: Pick<Channel, 'state'>) {
  return <Badge tone={TONES[state]}>{STATES[state]}</Badge>
}

/** How many requests were charged: "1,204 requests". */
export function requestsText(requests: string): string {
  const count = BigInt(requests)
  return `${count.toLocaleString('en')} ${count === 1n ? 'request' : 'requests'}`
}

/** What a request was charged on average, atomic units. */
export const averageOf = (charged: string, requests: string): string => String(BigInt(charged) / BigInt(requests))

/** What no voucher promises, atomic units. */
export function leftIn({ balance, signed, claimed }: Pick<Channel, 'balance' | 'signed' | 'claimed'>): string {
  const promised = BigInt(signed) > BigInt(claimed) ? BigInt(signed) : BigInt(claimed)
  return String(BigInt(balance) > promised ? BigInt(balance) - promised : 0n)
}
