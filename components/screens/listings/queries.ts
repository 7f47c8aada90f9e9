import type { Environment } from '@/server/x402/networks/networks'
import type { Trpc } from '../../client/trpc'

/** A page of a merchant's listings. */
export const listingsQuery = (trpc: Trpc, environment: Environment, offset = 0) =>
  trpc.merchant.listings.queryOptions({ environment, offset })

/** What keeps paid resources out of the catalog, or will. */
export const reportQuery = (trpc: Trpc, environment: Environment) => trpc.merchant.report.queryOptions({ environment })
