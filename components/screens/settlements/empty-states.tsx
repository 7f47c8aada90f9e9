'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMinute } from '../../client/clock'
import { environmentTitles } from '../../client/environment'
import { environmentQuery } from '../../client/queries'
import { useTRPC } from '../../client/trpc'
import { useEnvironment } from '../../client/use-environment'
import { Button } from '../../ui/button'
import { Example } from '../../ui/example'
import { Empty, Panel } from '../../ui/panel'
import { shortened } from '../../ui/shortened'
import { exampleSettlements } from './example'
import { SettlementRows } from './list'
import type { View } from './use-view'

const NONE: ReadonlySet<string> = new Set()

type NoneYetProps = { what: string; text: string; action?: ReactNode; view: View }

/** What to do before the first settlement, and how the list will look. */
export function NoneYet({ what, text, action, view }: NoneYetProps) {
  const now = useMinute()
  const { environment } = useEnvironment()
  return (
    <>
      <Panel>
        <Empty
          title={`No ${environment ? `${environment === 'testnet' ? 'test' : 'live'} ` : ''}${what} yet`}
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
        <Example note={`Your ${what} will look like this.`}>
          <SettlementRows
            rows={exampleSettlements(environment ?? 'mainnet', now)}
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

/** Opens the list of the other environment, if the account may have settlements there. */
function LookElsewhere() {
  const trpc = useTRPC()
  const { environment, setEnvironment } = useEnvironment()
  // Only from the cache: null says that the account has no settlement at all.
  const { data: used } = useQuery({ ...environmentQuery(trpc), enabled: false })
  if (!environment || used === null) return null
  const other = environment === 'mainnet' ? 'testnet' : 'mainnet'
  return <Button onClick={() => setEnvironment(other)}>Look in {environmentTitles[other]}</Button>
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
          <Button look="primary" onClick={() => void clear()}>
            {searchOnly ? 'Clear search' : 'Clear filters'}
          </Button>
          <LookElsewhere />
        </>
      }
    >
      {search ? (
        <>
          Search by address, transaction, resource or ID.
          {environment ? ` Only ${environmentTitles[environment]} was searched.` : ''} A payment that fails verification is not
          listed: <a href="/explain">explain it</a>.
        </>
      ) : environment ? (
        `Showing ${environmentTitles[environment]} only.`
      ) : (
        'Change the filters.'
      )}
    </Empty>
  )
}

// A longer word would not fit a phone.
const WIDE = 24
