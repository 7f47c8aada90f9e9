'use client'

import type { ReactNode } from 'react'
import { addNetwork, type EvmRow } from '@/server/x402/networks/networks'

/**
 * Makes the networks that the server serves besides the usual ones known to the browser, before anything below is shown. On the server
 * all copies of the code share them already.
 */
export function AddedNetworks({ rows, children }: { rows: EvmRow[]; children: ReactNode }) {
  if (typeof window !== 'undefined') for (const row of rows) addNetwork(row)
  return children
}
