'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink, splitLink } from '@trpc/client'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import type { ToasterProps } from 'sonner'
import type { Root } from '@/server/trpc/router'
import { useTheme } from '../ui/theme'
import { statusOf } from './errors'
import type { FirstView } from './first-view'
import { heldWhileSignedOut } from './held-calls'
import { FRESH_MS } from './refresh'
import { AtFirst } from './remembered'
import { TRPCProvider } from './trpc'

type Loaded = { default: ComponentType<ToasterProps> }

// Loaded late: no toast appears before the first action. If it fails to load, the page still works.
const Toaster = lazy(() =>
  import('sonner').then(
    ({ Toaster }): Loaded => ({ default: Toaster }),
    (): Loaded => ({ default: () => null }),
  ),
)

const RETRIES = 2

const NOTHING: FirstView = { remembered: {}, now: null }

/** The providers of signed-in pages. */
export function Providers({ first = NOTHING, children }: { first?: FirstView; children: ReactNode }) {
  const [queries] = useState(newQueries)
  const [client] = useState(() => createTRPCClient<Root>({ links: [heldWhileSignedOut(queries), linkTo('/api/trpc')] }))
  const theme = useTheme()
  return (
    <QueryClientProvider client={queries}>
      <TRPCProvider trpcClient={client} queryClient={queries}>
        <NuqsAdapter>
          <AtFirst value={first}>{children}</AtFirst>
        </NuqsAdapter>
        <Suspense>
          <Toaster position="bottom-right" theme={theme} />
        </Suspense>
      </TRPCProvider>
    </QueryClientProvider>
  )
}

function newQueries(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { staleTime: FRESH_MS.usual, retry: shouldRetry } } })
}

// A 4xx fails the same way again, but for a 429: many tabs may ask for more than a second allows.
function shouldRetry(failures: number, error: Error): boolean {
  const status = statusOf(error)
  return failures < RETRIES && (status === 0 || status === 429 || status >= 500)
}

const CALLS_AT_ONCE = 10

/** The link to the procedures. Slow queries (`alone` in their context) skip batching: a batch waits for its slowest member. */
function linkTo(url: string) {
  return splitLink<Root>({
    condition: ({ context }) => context.alone === true,
    // A batch of one: another kind of link would be more to load.
    true: httpBatchLink({ url, maxItems: 1 }),
    false: httpBatchLink({ url, maxItems: CALLS_AT_ONCE }),
  })
}
