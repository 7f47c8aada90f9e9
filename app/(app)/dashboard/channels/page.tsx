import type { Metadata } from 'next'
import { channelSumsQuery, channelsQuery } from '@/components/client/channels/queries'
import { Prefetched } from '@/components/client/prefetched'
import { Channels } from '@/components/screens/channels/channels'

export const metadata: Metadata = { title: 'Channels' }

export default function ChannelsPage() {
  return (
    <Prefetched
      inView={(trpc, { environment }) => [channelsQuery(trpc, { environment }), channelSumsQuery(trpc, { environment })]}
    >
      <Channels />
    </Prefetched>
  )
}
