'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { networkTitle } from '@/server/x402/networks/networks'
import { DepositBar } from '../../client/channels/deposit-bar'
import { payerChannelsQuery } from '../../client/channels/queries'
import { amounts, ChannelState, leftIn, nameOf, type PaidChannel, tokenOf } from '../../client/channels/state'
import { Problem } from '../../client/problem'
import { ColumnTime, ExactTime, Time, useColumnZone } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { useEnvironment } from '../../client/use-environment'
import { usePages } from '../../client/use-pages'
import { Button } from '../../ui/button'
import { Linked } from '../../ui/explorer-link'
import { amountText, moneyText } from '../../ui/figures'
import { later } from '../../ui/later'
import { Pager } from '../../ui/pager'
import { Panel } from '../../ui/panel'
import { type Column, Table } from '../../ui/table'

const Withdraw = later(() => import('./withdraw').then((loaded) => loaded.Withdraw))

/** The channels that a wallet paid into; nothing without any. */
export function PayerChannels() {
  const trpc = useTRPC()
  const { environment } = useEnvironment()
  const known = environment ?? 'mainnet'
  const { cursor, neighbors } = usePages(`payer channels ${known}`)
  const query = useQuery({
    ...payerChannelsQuery(trpc, { environment: known, ...(cursor ? { cursor } : {}) }),
    enabled: environment !== undefined,
    placeholderData: keepPreviousData,
  })
  const [leaving, setLeaving] = useState<PaidChannel | null>(null)
  const channels = query.data?.channels ?? []
  const open = channels.filter(({ state }) => state !== 'closed')
  const closed = channels.filter(({ state }) => state === 'closed')
  const spent = amounts(closed, null, ({ claimed }) => claimed)
  const zone = useColumnZone(closed.map(({ createdAt }) => createdAt))
  const pages = neighbors(query.data?.next)
  if (query.error && !query.data) return <Problem error={query.error} retry={query.refetch} />
  if (channels.length === 0 && cursor === undefined) return null
  return (
    <Panel
      title="Channels"
      action={
        <a href="/docs/paying-by-channel" className="text-sm">
          How channels work
        </a>
      }
    >
      <ul className={closed.length > 0 ? 'border-b empty:hidden' : undefined}>
        {open.map((channel) => (
          <li
            key={nameOf(channel)}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-b px-4 py-3 last:border-b-0 md:grid-cols-[10.25rem_minmax(0,1fr)_auto] xl:grid-cols-[10.25rem_5.5rem_1fr_2fr_auto]"
          >
            <span className="whitespace-nowrap tabular-nums">
              <span className="font-semibold">{amountText(leftIn(channel), channel.asset.decimals)}</span>{' '}
              <span className="text-sm text-soft">{channel.asset.symbol} left</span>
            </span>
            <span className="flex flex-wrap items-center gap-x-2 text-sm max-md:order-last max-md:col-span-full xl:contents">
              <span className="flex">
                <ChannelState state={channel.state} />
              </span>
              <span>{networkTitle(channel.network)}</span>
              <span className="flex items-center gap-x-1">
                to <Linked network={channel.network} address={channel.receiver} label="recipient" />
              </span>
            </span>
            <Button size="small" onClick={() => setLeaving(channel)}>
              Withdraw
            </Button>
            <span className="col-span-full grid gap-1 text-sm text-soft">
              <DepositBar {...channel} charged={channel.signed} className="mb-0.5 h-1" />
              {moneyText(channel.balance, channel.asset)} deposited, {moneyText(channel.signed, channel.asset)} signed
              {channel.withdrawBy ? (
                <span>
                  You can take {moneyText(channel.withdrawing, channel.asset)} from <ExactTime at={channel.withdrawBy} />
                </span>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
      {closed.length > 0 ? (
        <Table
          className="w-full text-left"
          columns={columnsOf(closed, zone)}
          rows={closed}
          keyOf={nameOf}
          card={(row) => <Card row={row}>{spent(row)}</Card>}
          rowClass="h-11"
        />
      ) : null}
      {pages.newer || pages.older ? (
        <div className="border-t px-4 pb-3">
          <Pager {...pages} names={['Newer channels', 'Older channels']} label="Pages of channels" />
        </div>
      ) : null}
      {leaving ? <Withdraw channel={leaving} onClose={() => setLeaving(null)} /> : null}
    </Panel>
  )
}

/** Columns of closed channels, in the order of those of payments and about as wide. */
function columnsOf(rows: readonly PaidChannel[], zone: string): readonly Column<PaidChannel>[] {
  const token = tokenOf(rows)
  return [
    { title: 'Opened', head: `Opened (${zone})`, cell: ({ createdAt }) => <ColumnTime at={createdAt} />, headClass: 'xl:w-45' },
    { title: 'State', cell: ({ state }) => <ChannelState state={state} />, headClass: 'xl:w-23.5' },
    {
      title: `Spent${token === null ? '' : ` (${token})`}`,
      cell: amounts(rows, token, ({ claimed }) => claimed),
      headClass: 'text-right whitespace-nowrap xl:w-27 xl:pr-7',
      cellClass: 'text-right font-medium whitespace-nowrap tabular-nums xl:pr-7',
    },
    { title: 'Network', cell: ({ network }) => networkTitle(network), headClass: 'xl:w-33.5', cellClass: 'whitespace-nowrap' },
    { title: 'Recipient', cell: (row) => <Linked network={row.network} address={row.receiver} label="recipient" /> },
  ]
}

/** A closed channel on a narrow screen. */
function Card({ row, children }: { row: PaidChannel; children: ReactNode }) {
  return (
    <div className="grid gap-1 px-4 py-2.5 text-sm text-soft">
      <p className="flex justify-between gap-3">
        <Linked network={row.network} address={row.receiver} label="recipient" />
        <span className="text-md font-medium text-ink tabular-nums">{children}</span>
      </p>
      <p className="flex items-center gap-2 *:last:ml-auto">
        <ChannelState state={row.state} /> {networkTitle(row.network)} <Time at={row.createdAt} dated />
      </p>
    </div>
  )
}
