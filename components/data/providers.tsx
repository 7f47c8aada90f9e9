'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink, httpLink, splitLink, TRPCClientError } from '@trpc/client'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import type { ToasterProps } from 'sonner'
import type { Root } from '@/server/trpc/router'
import { TRPCProvider } from './trpc'

type Loaded = { default: ComponentType<ToasterProps> }

// Nothing is said before somebody has done something; and a page without notices is a page.
const Toaster = lazy(() =>
  import('sonner').then(
    ({ Toaster }): Loaded => ({ default: Toaster }),
    (): Loaded => ({ default: () => null }),
  ),
)

const FRESH_MS = 10_000
const TRIES = 2

const URL = '/api/trpc'
// What may take long is asked alone (`alone` in its context): an answer to several waits for the slowest of them.
const LINK = splitLink({
  condition: ({ context }) => context.alone === true,
  true: httpLink({ url: URL }),
  false: httpBatchLink({ url: URL, maxItems: 10 }),
})

/** What every signed-in page needs around it. */
export function Providers({ children }: { children: ReactNode }) {
  const [queries] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: FRESH_MS, retry: isWorthAnotherTry } } }),
  )
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

// What was refused is refused again.
function isWorthAnotherTry(failures: number, error: Error): boolean {
  const status = error instanceof TRPCClientError ? Number(error.data?.httpStatus ?? 0) : 0
  return failures < TRIES && (status === 0 || status >= 500)
}
