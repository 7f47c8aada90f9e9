'use client'

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import type { ToasterProps } from 'sonner'
import { useTheme } from '../ui/theme'
import { createCalls } from './calls'
import { statusOf } from './errors'
import type { FirstView } from './first-view'
import { heldWhileSignedOut } from './held-calls'
import { createProcedures } from './procedures'
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
  const [trpc] = useState(() => createProcedures(heldWhileSignedOut(queries, createCalls('/api/trpc'))))
  const theme = useTheme()
  return (
    <QueryClientProvider client={queries}>
      <TRPCProvider value={trpc}>
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
