'use client'

import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import Link from 'next/link'
import type { Root } from '@/server/trpc/router'
import { environmentOf, isNetworkId } from '@/server/x402/networks'
import { useTRPC } from '../data/trpc'
import { titleOf } from '../settlements/explorer'
import { ScreenHead } from '../shell/shell'
import { Badge } from '../ui/badge'
import { shortened } from '../ui/copyable'
import { usdc } from '../ui/figures'
import { Panel, Problem, Skeleton } from '../ui/panel'
import { Time } from '../ui/time'
import { Quarantined } from './quarantined'
import { Senders } from './senders'

export type Standing = inferRouterOutputs<Root>['admin']['standing']

const LOOK_MS = 5_000
/** The server lists at most so many stuck settlements. */
const LISTED_MAX = 50

/** The state of networks, signers, queues and screening. */
export function Networks() {
  const trpc = useTRPC()
  const standing = useQuery(trpc.admin.standing.queryOptions(undefined, { refetchInterval: LOOK_MS }))
  // Not batched, so that a slow RPC delays nothing else.
  const senders = useQuery(
    trpc.admin.senders.queryOptions(undefined, { refetchInterval: LOOK_MS, trpc: { context: { alone: true } } }),
  )
  const stuck = standing.data?.stuck.length
  return (
    <>
      <ScreenHead title="Networks">
        <span className="text-[0.8125rem] text-soft">Updates every {LOOK_MS / 1_000} s</span>
      </ScreenHead>
      <div className="grid gap-4">
        <Quarantined lookMs={LOOK_MS} />
        {standing.error ? (
          <Problem error={standing.error} retry={standing.refetch} />
        ) : (
          <div className="grid gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <Panel title="Supported networks">
              <NetworkList networks={standing.data?.networks} />
            </Panel>
            <Panel title="Screening">
              <Screening screening={standing.data?.screening} />
            </Panel>
          </div>
        )}
        {standing.error ? null : (
          <Panel
            title="Pending for over a minute"
            action={stuck ? <Badge tone="warn">{stuck < LISTED_MAX ? stuck : `${LISTED_MAX} or more`}</Badge> : undefined}
          >
            <Stuck rows={standing.data?.stuck} />
          </Panel>
        )}
        {senders.error ? (
          <Problem error={senders.error} retry={senders.refetch} />
        ) : (
          <Panel title="Signers and gas">
            <Senders senders={senders.data} />
          </Panel>
        )}
      </div>
    </>
  )
}

const NODES = {
  answers: ['good', 'RPC healthy'],
  'wrong chain': ['bad', 'RPC on the wrong chain'],
  silent: ['bad', 'RPC unreachable'],
} as const

function NetworkList({ networks }: { networks: Standing['networks'] | undefined }) {
  if (!networks) return ['a', 'b', 'c', 'd'].map((line) => <Skeleton key={line} className="m-4 h-9" />)
  if (networks.length === 0)
    return <p className="m-0 px-4 py-6 text-soft">No network has an RPC URL and a signer. See docs/operations.md.</p>
  return (
    <ul>
      {networks.map(({ network, tiers, nodes, queue }) => {
        const [tone, words] = NODES[nodes]
        return (
          <li
            key={network}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-4 border-0 border-b border-solid border-line px-4 py-2.5 last:border-b-0"
          >
            <span className="grid">
              <span className="font-medium">{titleOf(network)}</span>
              <span className="text-[0.8125rem] text-soft">
                {tiers.length > 0 ? tiers.join(', ') : 'no tier'} · {queueText(queue)}
              </span>
            </span>
            <span className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
              {queue ? (
                <span className="text-[0.8125rem] text-soft">
                  oldest <Time at={queue.oldest} />
                </span>
              ) : null}
              <Badge tone={tone}>{words}</Badge>
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function queueText(queue: Standing['networks'][number]['queue']): string {
  if (!queue) return 'Queue empty'
  const parts = [
    [queue.claimed, 'claimed'],
    [queue.prepared, 'signed'],
    [queue.broadcast, 'sent'],
  ] as const
  const said = parts.filter(([count]) => count > 0).map(([count, word]) => `${count.toLocaleString('en')} ${word}`)
  return said.join(', ')
}

const SCREENING = {
  off: ['warn', 'Off: payments are not screened'],
  answers: ['good', 'On'],
  silent: ['bad', 'Unreachable: payments refused'],
} as const

function Screening({ screening }: { screening: Standing['screening'] | undefined }) {
  if (!screening) return ['a', 'b'].map((line) => <Skeleton key={line} className="m-4 h-6" />)
  return (
    <dl className="grid gap-3 p-4">
      {(['production', 'sandbox'] as const).map((laneClass) => {
        const [tone, words] = SCREENING[screening[laneClass]]
        return (
          <div key={laneClass} className="flex flex-wrap items-center justify-between gap-2">
            <dt className="capitalize">{laneClass}</dt>
            <dd>
              <Badge tone={tone}>{words}</Badge>
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

const STUCK_STATES = {
  CLAIMED: 'Not signed',
  PREPARED: 'Signed, maybe not sent',
  BROADCAST: 'Sent, not in a block',
} as const satisfies Record<Standing['stuck'][number]['state'], string>

// The list opens in the environment of the network.
const within = (network: string) => (isNetworkId(network) ? `environment=${environmentOf(network)}` : '')

/** Settlements that are pending for too long, oldest first, with links to their payer and tenant. */
function Stuck({ rows }: { rows: Standing['stuck'] | undefined }) {
  if (!rows) return <Skeleton className="m-4 h-9" />
  if (rows.length === 0) return <p className="m-0 px-4 py-6 text-soft">No stuck settlements.</p>
  return (
    <ul>
      {rows.map(({ id, network, state, tenantId, payer, amount, createdAt }) => (
        <li
          key={id}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-0 border-b border-solid border-line px-4 py-2.5 last:border-b-0"
        >
          <span className="grid min-w-0">
            <span>
              <span className="font-medium tabular-nums">{usdc(amount)} USDC</span> on {titleOf(network)}, claimed{' '}
              <Time at={createdAt} />
            </span>
            <span className="text-[0.8125rem] text-soft">
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
