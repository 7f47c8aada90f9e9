'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { networkTitle } from '@/server/x402/networks/networks'
import { DepositBar } from '../../client/channels/deposit-bar'
import { payerChannelsQuery } from '../../client/channels/queries'
import { ChannelState, leftIn, nameOf, type PaidChannel } from '../../client/channels/state'
import { Problem } from '../../client/problem'
import { ExactTime } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { useEnvironment } from '../../client/use-environment'
import { usePages } from '../../client/use-pages'
import { Button } from '../../ui/button'
import { Linked } from '../../ui/explorer-link'
import { amountText, moneyText } from '../../ui/figures'
import { later } from '../../ui/later'
import { Pager } from '../../ui/pager'
import { Panel, Skeleton } from '../../ui/panel'

const Withdraw = later(() => import('./withdraw').then((loaded) => loaded.Withdraw))

// Most wallets have none.
const ClosedChannels = later(
  () => import('./closed-channels').then((loaded) => loaded.ClosedChannels),
  <Skeleton className="h-16 md:h-22" />,
)

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
      {closed.length > 0 ? <ClosedChannels rows={closed} /> : null}
      {pages.newer || pages.older ? (
        <div className="border-t px-4 pb-3">
          <Pager {...pages} names={['Newer channels', 'Older channels']} label="Pages of channels" />
        </div>
      ) : null}
      {leaving ? <Withdraw channel={leaving} onClose={() => setLeaving(null)} /> : null}
    </Panel>
  )
}
