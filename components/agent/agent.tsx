'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import dynamic from 'next/dynamic'
import { parseAsBoolean, useQueryState } from 'nuqs'
import { useState } from 'react'
import { EnvironmentSwitch } from '../data/environment-switch'
import { useTRPC } from '../data/trpc'
import { type Secret, SecretDialog } from '../merchant/secret-dialog'
import { ScreenHead } from '../shell/shell'
import { Button } from '../ui/button'
import { notice } from '../ui/notice'
import { Problem, Skeleton } from '../ui/panel'
import { AgentKeys } from './agent-keys'
import { AgentSettings } from './agent-settings'
import { CallingPanel } from './calling-panel'
import { Credits } from './credits'
import { Introduction } from './introduction'
import type { Purchased } from './purchase'
import { useBalance } from './use-balance'

// What signs and pays is loaded by those who buy.
const TopUp = dynamic(() => import('./top-up').then((loaded) => loaded.TopUp))

/** A wallet's agent: its credits, its keys, and what they may do. */
export function Agent() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const session = useQuery(trpc.session.get.queryOptions(undefined, { staleTime: 60_000 }))
  const { query, balance, environment, setEnvironment } = useBalance()
  const [buying, setBuying] = useQueryState('buy', parseAsBoolean.withDefault(false))
  const [secret, setSecret] = useState<Secret | null>(null)
  const who = session.data?.who
  const known = balance && (balance.hasBought || balance.accounts.length > 0)
  function bought({ status, api_key, endpoint, credits_added }: Purchased) {
    void queries.invalidateQueries(trpc.agent.balance.pathFilter())
    void setBuying(null)
    setSecret({ secret: api_key, url: endpoint })
    const count = credits_added.toLocaleString('en')
    notice.success(status === 'paid' ? `${count} credits bought` : `${count} credits are on their way`)
  }
  const buy = (
    <Button look="primary" onClick={() => void setBuying(true)}>
      <Plus aria-hidden className="size-4" /> Buy credits
    </Button>
  )
  return (
    <>
      <ScreenHead title="Agent">
        <EnvironmentSwitch value={environment} onChange={setEnvironment} />
        {known ? buy : null}
      </ScreenHead>
      {query.error ? <Problem error={query.error} retry={query.refetch} /> : null}
      {query.isPending ? <Skeleton className="h-96" /> : null}
      {balance && !known ? <Introduction action={buy} /> : null}
      {balance && known ? (
        <div className="grid gap-4">
          <Credits balance={balance} />
          <AgentKeys balance={balance} onSecret={setSecret} />
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <AgentSettings key={balance.allowedNetworks.join()} balance={balance} />
            <CallingPanel baseUrl={session.data?.baseUrl ?? ''} />
          </div>
        </div>
      ) : null}
      {buying && who ? (
        <TopUp address={who.name} environment={environment} onClose={() => void setBuying(null)} onBought={bought} />
      ) : null}
      <SecretDialog secret={secret} onClose={() => setSecret(null)} />
    </>
  )
}
