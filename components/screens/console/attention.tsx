'use client'

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { networkTitle } from '@/server/x402/networks/networks'
import { Problem } from '../../client/problem'
import { REFRESH_MS } from '../../client/refresh'
import { useTRPC } from '../../client/trpc'
import { type Alert, Alerts } from '../../ui/alerts'
import { cx } from '../../ui/class-names'
import { Skeleton } from '../../ui/panel'
import { shortened } from '../../ui/shortened'
import { missingText, runway, SOON_DAYS } from './coin'
import type { OperationsStatus, Sender } from './operations-status'
import { standingQuery } from './queries'
import { ScreeningMark } from './screening'

type Props = { senders: Pick<UseQueryResult<Sender[], { message: string }>, 'data' | 'error' | 'refetch'> }

/** What needs care now, worst first; one calm line otherwise. */
export function Attention({ senders }: Props) {
  const trpc = useTRPC()
  const operations = useQuery({ ...standingQuery(trpc), refetchInterval: REFRESH_MS.platform })
  // They come after the figures, so they take one line until they are opened: nothing below moves.
  const [open, setOpen] = useState(false)
  const failed = [operations, senders].find(({ error }) => error)
  if (failed?.error)
    return (
      <div className="mb-4">
        <Problem error={failed.error} retry={failed.refetch} />
      </div>
    )
  if (!operations.data || !senders.data) return <Skeleton className="mb-4 h-11 rounded-xl" />
  const alerts = alertsOf(operations.data, senders.data)
  return (
    <section aria-label="Needs care" aria-live="polite" className="mb-4 panel">
      {alerts.length === 0 ? (
        <p className="flex min-h-[2.625rem] flex-wrap items-center gap-x-2 px-4 py-1.5">
          <CircleCheck aria-hidden className="size-4 text-accent" />
          <span className="font-medium">Networks normal</span>
          <span className="text-sm text-soft max-sm:sr-only">{summaryOf(operations.data, senders.data)}</span>
          <span className="ml-auto">
            <ScreeningMark screening={operations.data.screening} />
          </span>
        </p>
      ) : open ? (
        <Alerts alerts={alerts} />
      ) : (
        <Folded alerts={alerts} onOpen={() => setOpen(true)} />
      )}
    </section>
  )
}

/** Alerts in one line. */
function Folded({ alerts, onOpen }: { alerts: readonly Alert[]; onOpen: () => void }) {
  const [worst] = alerts
  return (
    <button
      type="button"
      aria-expanded={false}
      onClick={onOpen}
      className="flex min-h-[2.625rem] w-full items-center gap-2 px-4 text-left hover:bg-code/60"
    >
      <TriangleAlert aria-hidden className={cx('size-4 shrink-0', worst?.tone === 'bad' ? 'text-bad' : 'text-warn')} />
      <span className="font-medium whitespace-nowrap">{counted(alerts.length, 'problem needs care', 'problems need care')}</span>
      <span className="truncate text-sm text-soft max-sm:hidden">{worst?.text}</span>
      <span className="ml-auto text-sm text-accent">Show</span>
    </button>
  )
}

/** What an operator mends now: what refuses payments first. */
export function alertsOf(operations: OperationsStatus, senders: readonly Sender[]): Alert[] {
  const { networks, quarantined, screening, stuck, webhooks, channels } = operations
  const all = [
    ...networks.flatMap(rpcAlerts),
    ...channels.flatMap(channelAlerts),
    ...screeningAlerts(screening),
    ...signerAlerts(senders),
    ...(quarantined > 0
      ? [
          {
            key: 'quarantined' as const,
            tone: 'bad' as const,
            href: '/console/networks#quarantined' as const,
            action: 'Check and release' as const,
            text: `${counted(quarantined, 'signer is quarantined: it signs', 'signers are quarantined: they sign')} nothing until you release ${quarantined === 1 ? 'it' : 'them'}.`,
          },
        ]
      : []),
    ...(stuck.length > 0
      ? [
          {
            key: 'pending' as const,
            tone: 'warn' as const,
            href: '/console/networks#pending' as const,
            action: 'View pending' as const,
            text: `${counted(stuck.length, 'settlement is', 'settlements are')} pending for over a minute.`,
          },
        ]
      : []),
    ...webhooks.map(({ id, host, ownerId, waiting }) => ({
      key: `webhook ${id}`,
      tone: 'warn' as const,
      action: 'View owner' as const,
      text: `The webhook ${host} of ${shortened(ownerId)} fails: ${counted(waiting, 'delivery is', 'deliveries are')} being retried.`,
      href: `/console/tenants?${new URLSearchParams({ search: ownerId })}`,
    })),
  ]
  return [...all.filter(({ tone }) => tone === 'bad'), ...all.filter(({ tone }) => tone === 'warn')]
}

function rpcAlerts({ network, nodes, endpoints, contradiction }: OperationsStatus['networks'][number]): Alert[] {
  const name = networkTitle(network)
  const to = { key: `rpc ${network}`, href: `/console/networks#${network}`, action: 'View endpoints' }
  if (contradiction !== null)
    return [{ ...to, tone: 'bad', text: `${name} is refused: nothing settles there.`, action: 'View reason' }]
  if (nodes === 'silent') return [{ ...to, tone: 'bad', text: `No RPC endpoint of ${name} answers: no payment settles there.` }]
  if (nodes === 'wrong chain') return [{ ...to, tone: 'bad', text: `The RPC of ${name} is on another chain.` }]
  const unfit = endpoints.filter(({ status }) => status !== 'fit').length
  if (unfit === 0) return []
  return [{ ...to, tone: 'warn', text: `${unfit} of ${endpoints.length} RPC endpoints of ${name} cannot be used.` }]
}

function channelAlerts({ network, withdrawing, unclaimable }: OperationsStatus['channels'][number]): Alert[] {
  const name = networkTitle(network)
  const to = { href: `/console/networks#${network}`, action: 'View network' }
  const [lost, racing] = [counted(unclaimable, 'channel', 'channels'), counted(withdrawing, 'payer', 'payers')]
  return [
    ...(unclaimable > 0
      ? [
          {
            ...to,
            key: `lost ${network}`,
            tone: 'bad' as const,
            text: `What was charged of ${lost} of ${name} cannot be claimed.`,
          },
        ]
      : []),
    ...(withdrawing > 0
      ? [
          {
            ...to,
            key: `withdrawals ${network}`,
            tone: 'warn' as const,
            text: `${racing} of ${name} withdraw${withdrawing === 1 ? 's' : ''} from ${withdrawing === 1 ? 'a channel' : 'channels'} with unclaimed vouchers.`,
          },
        ]
      : []),
  ]
}

function screeningAlerts(screening: OperationsStatus['screening']): Alert[] {
  const to = { tone: 'bad', href: '/console/networks#screening', action: 'View screening' } as const
  return (['production', 'sandbox'] as const)
    .filter((laneClass) => screening[laneClass] === 'silent')
    .map((laneClass) => ({
      ...to,
      key: `screening ${laneClass}`,
      text: `Screening is unreachable: ${laneClass} payments are refused.`,
    }))
}

/** What is wrong with a signer, whether gas mends it, and what follows from it; null for nothing. */
function troubleOf({ status, runwayDays }: Sender): (Pick<Alert, 'tone' | 'text'> & { fund: boolean }) | null {
  if (status === 'low balance') return { tone: 'bad', text: 'has too little gas to send.', fund: true }
  if (status === 'stuck') return { tone: 'bad', text: 'is stuck: its oldest transaction is not mined.', fund: false }
  if (status === 'stopped') return { tone: 'warn', text: 'has stopped.', fund: false }
  if (runwayDays === null || runwayDays >= SOON_DAYS) return null
  return { tone: 'warn', text: `has gas for ${runway(runwayDays).toLowerCase()}.`, fund: true }
}

// One key often signs on several networks: its alert names them all.
function signerAlerts(senders: readonly Sender[]): Alert[] {
  const found = senders.flatMap((sender) => {
    const trouble = troubleOf(sender)
    return trouble === null ? [] : [{ ...sender, ...trouble, key: `signer ${sender.address} ${trouble.text}` }]
  })
  return [...new Map(found.map((one) => [one.key, one])).values()].map(({ key, address, tone, text, fund }) => {
    const own = found.filter((one) => one.key === key)
    const networks = own.map(({ network }) => network)
    const to = { href: `/console/networks#${networks[0]}`, action: networks.length > 1 ? 'View signers' : 'View signer' }
    const said = `The signer ${shortened(address)} on ${list.format(networks.map(networkTitle))} ${text}`
    return { key, ...to, tone, text: fund ? `${said} ${fundingText(own)}` : said, ...(fund ? { copies: address } : {}) }
  })
}

/** How much to send to a signer, where that is known. */
function fundingText(own: readonly Sender[]): string {
  const amounts = own.flatMap((sender) => {
    const text = missingText(sender)
    return text === null ? [] : [{ network: sender.network, text }]
  })
  if (amounts.length === 0) return 'Fund it:'
  const parts = amounts.map(({ network, text }) => (own.length > 1 ? `${text} on ${networkTitle(network)}` : text))
  return `For 30 days, send ${list.format(parts)} to`
}

const list = new Intl.ListFormat('en-GB')

function summaryOf({ networks, screening }: OperationsStatus, senders: readonly Sender[]): string {
  const parts = [counted(networks.length, 'network', 'networks'), counted(senders.length, 'signer', 'signers')]
  return [...parts, ...(screening.production === 'off' ? [] : ['screening on'])].join(', ')
}

const counted = (count: number, one: string, more: string) => `${count.toLocaleString('en')} ${count === 1 ? one : more}`
