import type { inferRouterInputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import type { Trpc } from '../trpc'

/** Which channels, and from where on. */
type ChannelFilter = inferRouterInputs<Root>['merchant']['channels']

/** A page of a merchant's channels. */
export const channelsQuery = (trpc: Trpc, filter: ChannelFilter) => trpc.merchant.channels.queryOptions(filter)

/** The sums of a merchant's channels, and what vouchers were charged in 30 days. */
export const channelSumsQuery = (trpc: Trpc, { cursor: _, ...filter }: ChannelFilter) =>
  trpc.merchant.channelSums.queryOptions(filter)

/** A page of the channels that a wallet paid into. */
export const payerChannelsQuery = (trpc: Trpc, filter: ChannelFilter) => trpc.wallet.channels.queryOptions(filter)
