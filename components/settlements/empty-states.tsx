'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { environmentTitles, useEnvironment } from '../data/environment'
import { useTRPC } from '../data/trpc'
import { Badge } from '../ui/badge'
import { Button } from '../ui/button'
import { shortened } from '../ui/copyable'
import { Example } from '../ui/example'
import { usdc } from '../ui/figures'
import { Empty, Panel } from '../ui/panel'
import { ResourceName } from '../ui/resource-name'

type NoneYetProps = { what: string; text: string; action?: ReactNode }

/** What to do before the first settlement, and how the list will look. */
export function NoneYet({ what, text, action }: NoneYetProps) {
  const { environment } = useEnvironment()
  return (
    <>
      <Panel>
        <Empty
          title={`No ${environment ? `${environmentTitles[environment]} ` : ''}${what} yet`}
          action={
            <>
              {action}
              <LookElsewhere />
            </>
          }
        >
          {text}
        </Empty>
      </Panel>
      <div className="mt-4">
        <Example>
          <ul>
            {EXAMPLES.map(({ settled, amount, resource, payer }) => (
              <li
                key={resource}
                className="grid h-11 grid-cols-[4rem_4.5rem_minmax(0,1fr)] items-center gap-3 border-0 border-b border-solid border-line px-4 last:border-b-0 sm:grid-cols-[5rem_5rem_minmax(0,1fr)_auto]"
              >
                <span>{settled ? <Badge tone="good">Settled</Badge> : <Badge tone="bad">Failed</Badge>}</span>
                <span className="text-right font-medium tabular-nums">{usdc(amount, 3)}</span>
                <ResourceName url={resource} />
                <span className="font-mono text-[0.8125rem] max-sm:hidden">{payer}</span>
              </li>
            ))}
          </ul>
        </Example>
      </div>
    </>
  )
}

const EXAMPLES = [
  { settled: true, amount: '1000', resource: 'https://api.example.com/v1/forecast', payer: '0x8f3a…41c2' },
  { settled: true, amount: '25000', resource: 'https://api.example.com/v1/translate', payer: '0x27d0…b90e' },
  { settled: false, amount: '500000', resource: 'https://api.example.com/v1/report', payer: '0xc41e…07a5' },
] as const

/** Opens the list of the other environment, if the account may have settlements there. */
function LookElsewhere() {
  const trpc = useTRPC()
  const { environment, setEnvironment } = useEnvironment()
  // Only from the cache: null says that the account has no settlement at all.
  const { data: used } = useQuery(trpc.environment.first.queryOptions(undefined, { enabled: false }))
  if (!environment || used === null) return null
  const other = environment === 'mainnet' ? 'testnet' : 'mainnet'
  return (
    <Button look="quiet" onClick={() => setEnvironment(other)}>
      Look in {environmentTitles[other]}
    </Button>
  )
}

type NoneFoundProps = {
  what: string
  /** The text of the search, if any. */
  search: string | undefined
  /** Whether nothing but the search narrows the list. */
  searchOnly: boolean
  /** Whether the search reached its limit before the end. */
  further: boolean
  clear: () => unknown
}

/** Says that nothing matches, and clears the filters. */
export function NoneFound({ what, search, searchOnly, further, clear }: NoneFoundProps) {
  const { environment } = useEnvironment()
  if (further) return <Empty title="Nothing found yet">Older settlements are not searched yet.</Empty>
  return (
    <Empty
      title={`No ${what} match ${search ? `“${search.length > WIDE ? shortened(search) : search}”` : 'these filters'}`}
      action={
        <>
          <Button onClick={() => void clear()}>{searchOnly ? 'Clear search' : 'Clear filters'}</Button>
          <LookElsewhere />
        </>
      }
    >
      {environment ? `Showing ${environmentTitles[environment]} only.` : 'Change the search or the filters.'}
    </Empty>
  )
}

// A longer word would not fit a phone.
const WIDE = 24
