'use client'

import { useQuery } from '@tanstack/react-query'
import { keysQuery, reachedQuery } from './queries'
import { FRESH_MS, REFRESH_MS } from './refresh'
import { useTRPC } from './trpc'

/** The steps to the first payment, under the same names on all screens. */
export const stepTitles = { key: 'Create an API key', server: 'Charge for a route', payment: 'Make a payment' } as const

/** What a merchant did on the way to its first payment; null while unknown. It looks again until all is done. */
export function useFirstSteps() {
  const trpc = useTRPC()
  const keys = useQuery({ ...keysQuery(trpc), staleTime: FRESH_MS.account })
  const reached = useQuery({
    ...reachedQuery(trpc),
    refetchInterval: ({ state: { data } }) => (data?.settled && data.served ? false : REFRESH_MS.firstSteps),
  })
  const failed = [keys, reached].find(({ data, error }) => error && !data)
  const own = keys.data?.keys.filter(({ revokedAt }) => revokedAt === null)
  return {
    done:
      own && reached.data
        ? {
            key: own.length > 0 || reached.data.paid,
            server: reached.data.served,
            payment: reached.data.settled,
          }
        : null,
    /** The keys that are not revoked, newest first. */
    keys: own,
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  }
}
