'use client'

import { useQuery } from '@tanstack/react-query'
import type { Filter, ReaderName } from '../../client/filter-parsers'
import { useTRPC } from '../../client/trpc'

type Props = {
  reader: ReaderName
  filter: Filter
  what: string
  /** How many rows a list has that fits on one page, so that nothing needs counting; else null. */
  all: number | null
  /** How many settlements came since the page. */
  arrived: number
}

/** How many settlements a list has, in words. It shows after the rows, and a new filter abandons the count. */
export function Tally({ reader, filter, what, all, arrived }: Props) {
  const trpc = useTRPC()
  const asked = { reader, ...filter }
  const { data } = useQuery(trpc.settlements.count.queryOptions(asked, { enabled: all === null, trpc: { abortOnUnmount: true } }))
  const known = all === null ? data && { ...data, count: data.count + (data.more ? 0 : arrived) } : { count: all, more: false }
  if (!known) return null
  return <>{`${known.count.toLocaleString('en')}${known.more ? '+' : ''} ${nounOf(known.count, filter, what)}`}</>
}

// Settlements and payments are successes; a list of all outcomes has attempts.
function nounOf(count: number, { status, reason }: Filter, what: string): string {
  if (status === 'failed' || reason) return 'failed'
  const noun = status === 'success' ? what : 'attempts'
  return count === 1 ? noun.slice(0, -1) : noun
}
