'use client'

import { useQuery } from '@tanstack/react-query'
import { networkTitle } from '@/server/x402/networks/networks'
import { averageOf, type Channel } from '../../client/channels/state'
import { Problem } from '../../client/problem'
import { useTRPC } from '../../client/trpc'
import { Copyable } from '../../ui/copyable'
import { Linked } from '../../ui/explorer-link'
import { moneyText } from '../../ui/figures'
import { Fact, Skeleton } from '../../ui/panel'
import { ChannelTimeline } from './details'

/** What the row of the only channel leaves out: sums would repeat it. */
export function OnlyChannel({ channel: { network, id, asset, requests, charged, receiver } }: { channel: Channel }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.merchant.channel.queryOptions({ network, id }, { retry: false }))
  if (query.error) return <Problem error={query.error} retry={query.refetch} />
  return (
    <div className="mt-4 grid gap-x-12 gap-y-5 panel p-4 md:grid-cols-2">
      <h2 className="sr-only">Details</h2>
      <dl className="grid content-start gap-3">
        {requests === null || requests === '0' ? null : (
          <Fact name="Average">{moneyText(averageOf(charged, requests), asset)} per request</Fact>
        )}
        <Fact name="Network">{networkTitle(network)}</Fact>
        <Fact name="Recipient">
          <Linked network={network} address={receiver} label="recipient" />
        </Fact>
        <Fact name="ID">
          <Copyable text={id} label="ID" />
        </Fact>
      </dl>
      {query.data ? <ChannelTimeline {...query.data} /> : <Skeleton className="h-39" />}
    </div>
  )
}
