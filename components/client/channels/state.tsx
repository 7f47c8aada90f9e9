import type { inferRouterOutputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import { Badge } from '../../ui/badge'
import { Aligned, placesOf } from '../../ui/figures'

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

/** The name of a channel in a URL. */
export const nameOf = ({ network, id }: Pick<Channel, 'network' | 'id'>) => `${network}/${id}`

type InToken = Pick<Channel, 'asset'>

/** The only token of rows, which the head of a column names; null of several. */
export function tokenOf(rows: readonly InToken[]): string | null {
  const symbols = new Set(rows.map(({ asset }) => asset.symbol))
  return symbols.size === 1 ? (rows[0]?.asset.symbol ?? null) : null
}

/** The amounts of a column, whose points align; with their tokens unless its head names the only one. */
export function amounts<Row extends InToken>(rows: readonly Row[], token: string | null, pick: (row: Row) => string) {
  const places = placesOf(rows.map((row) => ({ atomic: pick(row), decimals: row.asset.decimals })))
  return (row: Row) => (
    <>
      <Aligned atomic={pick(row)} decimals={row.asset.decimals} places={places} />
      {token === null ? <span className="font-normal text-soft"> {row.asset.symbol}</span> : null}
    </>
  )
}
