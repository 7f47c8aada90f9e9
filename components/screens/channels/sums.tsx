'use client'

import type { inferRouterOutputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import { networkTitle } from '@/server/x402/networks/networks'
import { Problem } from '../../client/problem'
import { moneyText } from '../../ui/figures'
import { Skeleton } from '../../ui/panel'

type Sums = inferRouterOutputs<Root>['merchant']['channelSums']

/** A line for each token of a network. Usage is apart: claims settle what vouchers were charged, so both are the same money. */
export function ChannelSums({
  sums,
  error,
  retry,
}: {
  sums: Sums | undefined
  error: Parameters<typeof Problem>[0]['error'] | null
  retry: () => unknown
}) {
  if (error) return <Problem error={error} retry={retry} />
  if (!sums) return <Skeleton className="mb-4 h-6 w-2/3" />
  return (
    <ul aria-label="Sums" className="mb-4 grid gap-1 text-soft tabular-nums">
      {sums.sums.map(({ network, token, asset, channels, balance, charged, claimed, atRisk }) => (
        <li key={`${network} ${token}`}>
          <span className="text-ink">
            {channels.toLocaleString('en')} {channels === 1 ? 'channel' : 'channels'}
          </span>{' '}
          on {networkTitle(network)}: {moneyText(balance, asset)} deposited, {moneyText(charged, asset)} charged,{' '}
          {moneyText(claimed, asset)} claimed, <span className="text-ink">{moneyText(atRisk, asset)} at risk</span>
        </li>
      ))}
      {sums.usage.map(({ network, token, asset, requests, charged }) => (
        <li key={`${network} ${token}`}>
          Vouchers of the last 30 days on {networkTitle(network)}: {BigInt(requests).toLocaleString('en')} requests,{' '}
          {moneyText(charged, asset)}. Claims settle them.
        </li>
      ))}
    </ul>
  )
}
