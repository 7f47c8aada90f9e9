import type { Environment } from '@/server/x402/networks/networks'
import type { Trpc } from '../../client/trpc'

/** A page of a merchant's listings. */
export const listingsQuery = (trpc: Trpc, environment: Environment, offset = 0) =>
  trpc.merchant.listings.queryOptions({ environment, offset })

/** What was paid for without a listing. */
export const unlistedQuery = (trpc: Trpc, environment: Environment) => trpc.merchant.unlisted.queryOptions({ environment })
