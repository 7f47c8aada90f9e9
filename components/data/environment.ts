'use client'

import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { environments } from '@/server/x402/environments'

/** Whether figures are of mainnets or of testnets: in the address of the page, so that a link shows the same. */
export function useEnvironment(first: (typeof environments)[number]) {
  return useQueryState('environment', parseAsStringLiteral(environments).withDefault(first))
}
