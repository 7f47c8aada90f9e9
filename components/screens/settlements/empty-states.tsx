'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Shown } from '@/server/history/present'
import { useMinute } from '../../client/clock'
import { environmentTitles } from '../../client/environment'
import { environmentQuery } from '../../client/queries'
import { useTRPC } from '../../client/trpc'
import { useEnvironment } from '../../client/use-environment'
import { Button } from '../../ui/button'
import { shortened } from '../../ui/copyable'
import { Example } from '../../ui/example'
import { Empty, Panel } from '../../ui/panel'
import { SettlementRows } from './list'
import type { View } from './use-view'

type NoneYetProps = { what: string; text: string; action?: ReactNode; view: View }

/** What to do before the first settlement, and how the list will look. */
export function NoneYet({ what, text, action, view }: NoneYetProps) {
  const now = useMinute()
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
          <SettlementRows
            rows={EXAMPLES.map((example, at) => exampleOf(example, now - at * STEP_MS))}
            arrived={NONE}
            stale={false}
            view={view}
            onOpen={() => {}}
            hrefOf={() => '#'}
          />
        </Example>
      </div>
    </>
  )
}

const STEP_MS = 157_000
const NONE: ReadonlySet<string> = new Set()

const EXAMPLES = [
  { path: 'forecast', amount: '1000', payer: '0x8f3a6b1c94e07d25a8b3f6c0d1e2947a5b6c41c2', reason: null },
  { path: 'translate', amount: '25000', payer: '0x27d0f4a81b6c3e5927d8a0b4c6e1f39528d7b90e', reason: null },
  { path: 'report', amount: '500000', payer: '0xc41e7a3058b92d6f14c7e0a9b5d3826f41e907a5', reason: 'Insufficient funds' },
  { path: 'forecast', amount: '1000', payer: '0x8f3a6b1c94e07d25a8b3f6c0d1e2947a5b6c41c2', reason: null },
  { path: 'search', amount: '10000', payer: '0x5b9e02c7d4a1836fe0b57c92a4d8613f7e0c2d68', reason: null },
  { path: 'translate', amount: '25000', payer: '0x27d0f4a81b6c3e5927d8a0b4c6e1f39528d7b90e', reason: null },
] as const

function exampleOf({ path, amount, payer, reason }: (typeof EXAMPLES)[number], ms: number): Shown {
  const text = String(ms)
  return {
    id: text,
    settlementId: null,
    createdAt: new Date(ms).toISOString(),
    success: reason === null,
    network: 'eip155:8453',
    txHash: reason ? '' : `0x${text.repeat(5).slice(0, 64)}`,
    errorReason: reason,
    reasonTitle: reason,
    amount,
    asset: 'USDC',
    decimals: 6,
    payer,
    payTo: '0x209693bc6afc0c5328ba36faf03c514ef312287c',
    payToName: null,
    agents: [],
    resource: `https://api.example.com/v1/${path}`,
    resourceName: null,
    plan: 'free',
    tenantId: '',
    keyName: 'My API',
    owner: null,
  }
}

/** Opens the list of the other environment, if the account may have settlements there. */
function LookElsewhere() {
  const trpc = useTRPC()
  const { environment, setEnvironment } = useEnvironment()
  // Only from the cache: null says that the account has no settlement at all.
  const { data: used } = useQuery({ ...environmentQuery(trpc), enabled: false })
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
