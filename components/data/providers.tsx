'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink, httpLink, splitLink, TRPCClientError } from '@trpc/client'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import type { ToasterProps } from 'sonner'
import type { Root } from '@/server/trpc/router'
import { TRPCProvider } from './trpc'

type Loaded = { default: ComponentType<ToasterProps> }

// Loaded late: no toast appears before the first action. If it fails to load, the page still works.
const Toaster = lazy(() =>
  import('sonner').then(
    ({ Toaster }): Loaded => ({ default: Toaster }),
    (): Loaded => ({ default: () => null }),
  ),
)

const FRESH_MS = 10_000
const RETRIES = 2

const URL = '/api/trpc'
// Slow queries (`alone` in their context) skip batching: a batch waits for its slowest member.
const LINK = splitLink({
  condition: ({ context }) => context.alone === true,
  true: httpLink({ url: URL }),
  false: httpBatchLink({ url: URL, maxItems: 10 }),
})

/** The providers of signed-in pages. */
export function Providers({ children }: { children: ReactNode }) {
  const [queries] = useState(() => new QueryClient({ defaultOptions: { queries: { staleTime: FRESH_MS, retry: shouldRetry } } }))
  const [client] = useState(() => createTRPCClient<Root>({ links: [LINK] }))
  return (
    <QueryClientProvider client={queries}>
      <TRPCProvider trpcClient={client} queryClient={queries}>
        <NuqsAdapter>{children}</NuqsAdapter>
        <Suspense>
          <Toaster position="bottom-right" theme="system" />
        </Suspense>
      </TRPCProvider>
    </QueryClientProvider>
  )
}

// A 4xx fails the same way again.
function shouldRetry(failures: number, error: Error): boolean {
  const status = error instanceof TRPCClientError ? Number(error.data?.httpStatus ?? 0) : 0
  return failures < RETRIES && (status === 0 || status >= 500)
}
