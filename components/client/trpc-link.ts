import { httpBatchLink, splitLink } from '@trpc/client'
import type { Root } from '@/server/trpc/router'

const CALLS_AT_ONCE = 10

type Fetch = (url: RequestInfo | URL | string, init?: object) => Promise<Response>

/** The link to the procedures. Slow queries (`alone` in their context) skip batching: a batch waits for its slowest member. */
export function linkTo(url: string, fetch?: Fetch) {
  const options = { url, ...(fetch ? { fetch } : {}) }
  return splitLink<Root>({
    condition: ({ context }) => context.alone === true,
    // A batch of one: another kind of link would be more to load.
    true: httpBatchLink({ ...options, maxItems: 1 }),
    false: httpBatchLink({ ...options, maxItems: CALLS_AT_ONCE }),
  })
}
