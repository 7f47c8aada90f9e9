'use client'

import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import Link from 'next/link'
import type { Root } from '@/server/trpc/router'
import { environmentOf, isNetworkId, networkTitle } from '@/server/x402/networks/networks'
import { closingRefund, inOrder, inSeconds, LANDED } from '../../client/channels/closing'
import { DepositBar } from '../../client/channels/deposit-bar'
import { averageOf, ChannelState, requestsText } from '../../client/channels/state'
import { Problem } from '../../client/problem'
import { ColumnTime, useColumnZone } from '../../client/time'
import { useTRPC } from '../../client/trpc'
import { Badge } from '../../ui/badge'
import { spanText } from '../../ui/dates'
import { Drawer } from '../../ui/dialog'
import { DrawerActions } from '../../ui/drawer-actions'
import { Linked, Whole } from '../../ui/explorer-link'
import { amountText, moneyText } from '../../ui/figures'
import { Empty, Fact, Skeleton } from '../../ui/panel'
import { type TimelineStep, TimelineSteps } from '../../ui/timeline'
import { useDrawerSteps } from '../../ui/use-drawer-steps'

type Props = {
  /** Its network and id. */
  named: string
  /** The list behind the drawer, for previous and next. */
  rows: readonly { id: string }[] | undefined
  onOpen: (named: string) => void
  onClose: () => void
}

/** A channel with the claims that settled its vouchers. */
export function ChannelDetails({ named, rows, onOpen, onClose }: Props) {
  const trpc = useTRPC()
  const [written = '', id = ''] = named.split('/')
  const network = isNetworkId(written) ? written : null
  const query = useQuery(
    trpc.merchant.channel.queryOptions({ network: network ?? 'eip155:8453', id }, { enabled: network !== null, retry: false }),
  )
  const { data } = query
  const { previous, next, ...drawer } = useDrawerSteps({ id: named, rows, onOpen, shownId: id })
  return (
    <Drawer
      title="Channel"
      open
      onClose={onClose}
      actions={<DrawerActions what="channel" previous={previous} next={next} />}
      {...drawer}
    >
      {query.error ? (
        <Problem error={query.error} retry={query.refetch} />
      ) : data === null || network === null ? (
        <Empty title="None of your channels has this id" />
      ) : data ? (
        <Found {...data} />
      ) : (
        <Skeleton className="h-96 w-full" />
      )}
    </Drawer>
  )
}

type Found = NonNullable<inferRouterOutputs<Root>['merchant']['channel']>

function Found({ channel, claims }: Found) {
  const { asset, network } = channel
  const zone = useColumnZone([channel.createdAt])
  const allClaimed = channel.atRisk === '0'
  const allEqual = [channel.signed, channel.charged, channel.claimed].every((one) => one === channel.balance)
  const money = (atomic: string) => <span className="tabular-nums">{moneyText(atomic, asset)}</span>
  return (
    <div className="grid grid-cols-1 gap-6">
      <header className="grid grid-cols-1 justify-items-start gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-3xl font-semibold tracking-tight tabular-nums">
            {amountText(allClaimed ? channel.claimed : channel.atRisk, asset.decimals)}{' '}
            <span className="text-base font-normal tracking-normal text-soft">
              {asset.symbol} {allClaimed ? 'claimed' : 'charged, not yet claimed'}
            </span>
          </span>
          {environmentOf(network) === 'testnet' ? <Badge tone="warn">Test</Badge> : null}
          <ChannelState state={channel.state} />
        </p>
        {allClaimed ? null : <p className="text-soft">The payer could withdraw it after the withdrawal delay.</p>}
        <DepositBar balance={channel.balance} claimed={channel.claimed} charged={channel.charged} className="mt-2 h-2" />
        {/* Below the end of the bar, which is all of it. */}
        <p className="justify-self-end text-sm text-soft">of {money(channel.balance)} deposited</p>
      </header>
      <dl className="grid gap-3">
        {channel.requests === null ? null : (
          <Fact name="Requests">
            {requestsText(channel.requests)}
            {channel.requests === '0' ? null : (
              <span className="text-soft">, {money(averageOf(channel.charged, channel.requests))} each on average</span>
            )}
          </Fact>
        )}
        {allEqual ? null : (
          <>
            <Fact name="Signed">{money(channel.signed)}</Fact>
            <Fact name="Charged">{money(channel.charged)}</Fact>
            <Fact name="Claimed">{money(channel.claimed)}</Fact>
          </>
        )}
        {allClaimed && !channel.claimBy ? null : (
          <Fact name="Next claim">
            {channel.claimBy ? (
              <>
                By <ColumnTime at={channel.claimBy} /> {zone}
              </>
            ) : (
              'By your server: it does not keep its channels here'
            )}
          </Fact>
        )}
        {claims.length > 0 || channel.state === 'closed' ? null : (
          <Fact name="Claim">
            <span className="text-soft">{channel.claimed === '0' ? 'Nothing is claimed yet.' : 'By another service'}</span>
          </Fact>
        )}
        {channel.unclaimable ? <Fact name="Cannot claim">{channel.unclaimable}</Fact> : null}
        {channel.withdrawAt && channel.withdrawBy ? (
          <>
            <Fact name="Withdrawal">
              {money(channel.withdrawing)}, asked for <ColumnTime at={channel.withdrawAt} /> {zone}
            </Fact>
            <Fact name="Deadline">
              <ColumnTime at={channel.withdrawBy} /> {zone}
            </Fact>
          </>
        ) : null}
        <Fact name="Key">
          <Link href={`/dashboard/keys/${channel.keyId}`}>{channel.keyName || 'Unnamed key'}</Link>
        </Fact>
        <Fact name="Network">{networkTitle(network)}</Fact>
        <Fact name="Payer">
          <Whole network={network} address={channel.payer} label="payer" />
          <Link
            href={`?${new URLSearchParams({ environment: environmentOf(network), payer: channel.payer })}`}
            className="mt-1 block text-sm"
          >
            Channels of this payer
          </Link>
        </Fact>
        <Fact name="Recipient">
          <Whole network={network} address={channel.receiver} label="recipient" />
        </Fact>
        <Fact name="ID">
          <Whole text={channel.id} label="ID" />
        </Fact>
        {channel.state === 'closed' ? null : <Fact name="Delay">A withdrawal takes {spanText(channel.withdrawDelay)}</Fact>}
      </dl>
      <div className="border-t pt-5">
        <ChannelTimeline channel={channel} claims={claims} />
      </div>
    </div>
  )
}

/** What became of a channel, with the times of it. */
export function ChannelTimeline(found: Found) {
  const zone = useColumnZone([found.channel.createdAt])
  return (
    <section aria-label="Timeline" className="grid content-start gap-3">
      <h3 className="font-semibold">
        Timeline <span className="text-sm font-normal text-soft">({zone})</span>
      </h3>
      <TimelineSteps steps={stepsOf(found)} />
    </section>
  )
}

/** Opening, claims, refunds and last use of a channel, oldest first. */
function stepsOf({ channel, claims }: Found): TimelineStep[] {
  const { asset, network, createdAt, usedAt, state, withdrawAt } = channel
  const simple = (text: string, at: string, tone: TimelineStep['tone'] = 'good') => ({ at, key: text, tone, text })
  const closing = state === 'closed' ? closingRefund(claims, usedAt) : undefined
  const steps = [
    simple('Opened', createdAt),
    ...(usedAt ? [simple('Last used', usedAt)] : []),
    ...claims.toSorted(inOrder).flatMap((claim) => {
      const { kind, total, amount, state: stands, txHash, createdAt: at } = claim
      const tone = LANDED.has(stands) ? ('good' as const) : UNDER_WAY.has(stands) ? ('waiting' as const) : ('bad' as const)
      const claimed = {
        at,
        key: `${kind} ${total} ${at}`,
        tone,
        text: (
          <span className="flex flex-wrap items-center gap-x-2">
            Claimed up to {moneyText(total, asset)}
            <Standing state={stands} />
            {txHash ? <Linked network={network} transaction={txHash} label="transaction" /> : null}
          </span>
        ),
      }
      if (kind !== 'refund' || claim === closing) return [claimed]
      const refunded = (
        <>
          Refunded {moneyText(amount, asset)} to the payer <Standing state={stands} />
        </>
      )
      return [claimed, { at, key: `refunded ${total} ${at}`, tone, text: refunded }]
    }),
    ...(withdrawAt ? [simple('Withdrawal asked for', withdrawAt, 'waiting')] : []),
    // Steps of the same second keep their order.
  ].toSorted((one, other) => inSeconds(one.at) - inSeconds(other.at))
  const shown = steps.map(({ at, ...step }): TimelineStep => ({ ...step, time: <ColumnTime at={at} /> }))
  if (state !== 'closed') return shown
  if (closing) {
    const time = <ColumnTime at={closing.createdAt} />
    return [
      ...shown,
      { key: 'closed', tone: 'good', text: `Closed: ${moneyText(closing.amount, asset)} refunded to the payer`, time },
    ]
  }
  const text =
    claims.length === 0 && channel.claimed !== '0' ? 'Claimed by another service, then closed' : 'Closed: no deposit is left'
  return [...shown, { key: 'closed', tone: 'good', text, time: <>After {shown.at(-1)?.time}</> }]
}

/** What became of a transaction that did not land. */
function Standing({ state }: { state: string }) {
  if (LANDED.has(state)) return null
  return <span className="text-soft">({UNDER_WAY.has(state) ? 'in progress' : 'failed'})</span>
}

const UNDER_WAY: ReadonlySet<string> = new Set(['CLAIMED', 'PREPARED', 'BROADCAST'])
