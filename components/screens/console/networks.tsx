'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { Fragment, useEffect } from 'react'
import { tokenNamed } from '@/server/x402/networks/assets'
import { environmentOf, isNetworkId, networkTitle } from '@/server/x402/networks/networks'
import { Problem } from '../../client/problem'
import { REFRESH_MS } from '../../client/refresh'
import { ScreenHead } from '../../client/screen-head'
import { Time } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { Badge } from '../../ui/badge'
import { moneyText } from '../../ui/figures'
import { Empty, Panel, Skeleton } from '../../ui/panel'
import { shortened } from '../../ui/shortened'
import { NetworkCard, NetworkTitles } from './network-card'
import { networkState } from './network-state'
import type { OperationsStatus, Sender } from './operations-status'
import { Quarantined } from './quarantined'
import { sendersQuery, standingQuery } from './queries'
import { Screening, ScreeningMark } from './screening'

/** The server lists at most so many stuck settlements. */
const LISTED_MAX = 50

const GROUPS = [
  ['mainnet', 'Live networks'],
  ['testnet', 'Test networks'],
] as const

/** The state of networks, signers, queues and screening. */
export function Networks() {
  const trpc = useTRPC()
  const operations = useQuery({ ...standingQuery(trpc), refetchInterval: REFRESH_MS.networks })
  const senders = useQuery({ ...sendersQuery(trpc), refetchInterval: REFRESH_MS.networks })
  const { networks, stuck = [], screening } = operations.data ?? {}
  const known = senders.error ? null : senders.data
  const loaded = networks !== undefined
  // The part that a link names is not there before the data.
  useEffect(() => {
    if (!loaded) return
    const named = document.getElementById(location.hash.slice(1))
    named?.querySelector('details')?.setAttribute('open', '')
    named?.scrollIntoView()
  }, [loaded])
  return (
    <>
      <ScreenHead
        title="Networks"
        marks={
          networks && networks.length > 0 && screening && !senders.isPending ? (
            <>
              {known ? <Healthy networks={networks} senders={known} /> : null}
              <ScreeningMark screening={screening} />
            </>
          ) : null
        }
      />
      <div className="grid gap-4">
        <Quarantined />
        {stuck.length > 0 ? (
          <div id="pending" className="scroll-mt-20 lg:scroll-mt-4">
            <Panel
              title="Pending for over a minute"
              action={<Badge tone="warn">{stuck.length < LISTED_MAX ? stuck.length : `${LISTED_MAX} or more`}</Badge>}
            >
              <Stuck rows={stuck} />
            </Panel>
          </div>
        ) : null}
        {senders.error ? <Problem error={senders.error} retry={senders.refetch} /> : null}
        {operations.error ? (
          <Problem error={operations.error} retry={operations.refetch} />
        ) : networks?.length === 0 ? (
          <Panel>
            <Empty title="No networks yet">A network needs an RPC URL and a signer. See docs/operations.md.</Empty>
          </Panel>
        ) : !networks ? (
          <Skeleton className="h-96 rounded-xl" />
        ) : (
          <div className="panel">
            <NetworkTitles />
            {GROUPS.map(([environment, title]) => {
              const own = networks.filter(({ network }) => environmentOf(network) === environment)
              return own.length === 0 ? null : (
                <Fragment key={environment}>
                  <h2 className="border-b bg-code/60 px-4 py-1.5 text-sm font-semibold max-md:first-of-type:rounded-t-xl">
                    {title}
                  </h2>
                  {own.map((status) => (
                    <NetworkCard key={status.network} status={status} senders={known} />
                  ))}
                </Fragment>
              )
            })}
          </div>
        )}
        {/* Last, and only after the networks: it would move with them. */}
        {screening ? <Screening screening={screening} /> : null}
      </div>
    </>
  )
}

/** How many networks have nothing wrong. */
function Healthy({ networks, senders }: { networks: OperationsStatus['networks']; senders: Sender[] }) {
  const healthy = networks.filter((status) => {
    const [tone] = networkState(
      status,
      senders.filter(({ network }) => network === status.network),
    )
    return tone !== 'bad' && tone !== 'warn'
  })
  const all = healthy.length === networks.length
  return (
    <Badge tone={all ? 'good' : 'warn'}>
      {healthy.length} of {networks.length} healthy
    </Badge>
  )
}

const STUCK_STATES = {
  CLAIMED: 'Not signed',
  PREPARED: 'Signed, maybe not sent',
  BROADCAST: 'Sent, not in a block',
} as const satisfies Record<OperationsStatus['stuck'][number]['state'], string>

// The list opens in the environment of the network.
const within = (network: string) => (isNetworkId(network) ? `environment=${environmentOf(network)}` : '')

/** Settlements that are pending for too long, oldest first, with links to their payer and tenant. */
function Stuck({ rows }: { rows: OperationsStatus['stuck'] }) {
  return (
    <ul>
      {rows.map(({ id, network, state, tenantId, payer, amount, symbol, createdAt }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b px-4 py-2.5 last:border-b-0">
          <span className="grid min-w-0">
            <span>
              <span className="font-medium tabular-nums">{moneyText(amount, tokenNamed(symbol))}</span> on {networkTitle(network)}
              , claimed <Time at={createdAt} />
            </span>
            <span className="text-sm text-soft">
              by <Link href={`/console/history?${within(network)}&payer=${payer}`}>{shortened(payer)}</Link> for tenant{' '}
              <Link href={`/console/history?${within(network)}&tenant=${tenantId}`}>{tenantId.slice(-8)}</Link>
            </span>
          </span>
          <Badge tone="warn">{STUCK_STATES[state]}</Badge>
        </li>
      ))}
    </ul>
  )
}
