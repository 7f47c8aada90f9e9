import { httpBatchLink, splitLink } from '@trpc/client'
import type { Root } from '@/server/trpc/router'

const CALLS_AT_ONCE = 10

/** The link to the procedures. Slow queries (`alone` in their context) skip batching: a batch waits for its slowest member. */
export function linkTo(url: string) {
  return splitLink<Root>({
    condition: ({ context }) => context.alone === true,
    // A batch of one: another kind of link would be more to load.
    true: httpBatchLink({ url, maxItems: 1 }),
    false: httpBatchLink({ url, maxItems: CALLS_AT_ONCE }),
  })
}
