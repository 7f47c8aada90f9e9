import type { inferRouterOutputs } from '@trpc/server'
import type { Root } from '@/server/trpc/router'
import { mainAsset } from '@/server/x402/networks/networks'

const { address: token, symbol, decimals } = mainAsset('eip155:8453')
const base = { network: 'eip155:8453', token, asset: { symbol, decimals } } as const

/** The sums of a merchant with some channels. */
export const EXAMPLE_SUMS: inferRouterOutputs<Root>['merchant']['channelSums'] = {
  sums: [{ ...base, channels: 24, balance: '12000000', charged: '7420000', claimed: '6100000', atRisk: '1320000' }],
  usage: [{ ...base, requests: '118720', charged: '7420000' }],
}
