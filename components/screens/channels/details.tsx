'use client'

import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import Link from 'next/link'
import type { Root } from '@/server/trpc/router'
import type { Token } from '@/server/x402/networks/assets'
import { environmentOf, isNetworkId, networkTitle } from '@/server/x402/networks/networks'
import { closingRefund, inOrder, inSeconds, LANDED } from '../../client/channels/closing'
import { DepositBar } from '../../client/channels/deposit-bar'
import { averageOf, ChannelState } from '../../client/channels/state'
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
import { ALONE_HEIGHT } from './rows'

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
  const [, id = ''] = named.split('/')
  const { previous, next, ...drawer } = useDrawerSteps({ id: named, rows, onOpen, shownId: id })
  return (
    <Drawer
      title="Channel"
      open
      onClose={onClose}
      actions={<DrawerActions what="channel" previous={previous} next={next} />}
      {...drawer}
    >
      <ChannelFacts named={named} />
    </Drawer>
  )
}

/** All of a channel. `alone`: without what the page of an only channel says already. */
export function ChannelFacts({ named, alone = false }: Pick<Props, 'named'> & { alone?: boolean }) {
  const trpc = useTRPC()
  const [written = '', id = ''] = named.split('/')
  const network = isNetworkId(written) ? written : null
  const { data, error, refetch } = useQuery(
    trpc.merchant.channel.queryOptions({ network: network ?? 'eip155:8453', id }, { enabled: network !== null, retry: false }),
  )
  if (error) return <Problem error={error} retry={refetch} />
  if (data === null || network === null) return <Empty title="None of your channels has this id" />
  return data ? <Found {...data} alone={alone} /> : <Skeleton className={alone ? ALONE_HEIGHT : 'h-96'} />
}

type Found = NonNullable<inferRouterOutputs<Root>['merchant']['channel']>

function Found({ channel, claims, alone }: Found & { alone: boolean }) {
  const { asset, network, state } = channel
  const refund = state === 'closed' ? closingRefund(claims, channel.usedAt) : undefined
  // The balance of a closed one lacks what went back.
  const deposited = String(BigInt(channel.balance) + BigInt(refund?.amount ?? 0))
  const zone = useColumnZone([channel.createdAt])
  const allClaimed = channel.atRisk === '0'
  const allEqual = [channel.signed, channel.charged, channel.claimed].every((one) => one === channel.balance)
  const money = (atomic: string) => <InOneLine atomic={atomic} token={asset} />
  return (
    <div className="grid grid-cols-1 gap-x-12 gap-y-6 @4xl:grid-cols-2">
      <header className="col-span-full grid grid-cols-1 justify-items-start gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-3xl font-semibold tracking-tight tabular-nums">
            {amountText(allClaimed ? channel.claimed : channel.atRisk, asset.decimals)}{' '}
            <span className="text-base font-normal tracking-normal text-soft">
              {asset.symbol} {allClaimed ? 'claimed' : 'charged, not yet claimed'}
            </span>
          </span>
          {environmentOf(network) === 'testnet' && !alone ? <Badge tone="warn">Test</Badge> : null}
          <ChannelState state={state} />
        </p>
        {allClaimed ? null : <p className="text-soft">The payer could withdraw it after the withdrawal delay.</p>}
        <DepositBar balance={deposited} claimed={channel.claimed} charged={channel.charged} className="mt-2 h-2" />
        <p className="text-sm text-soft">of {money(deposited)} deposited</p>
      </header>
      <dl className="grid content-start gap-3">
        {channel.requests === null ? null : (
          <Fact name="Requests">
            {BigInt(channel.requests).toLocaleString('en')}
            {channel.requests === '0' ? null : (
              <span className="text-soft">, {money(averageOf(channel.charged, channel.requests))} each</span>
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
        {claims.length > 0 || state === 'closed' ? null : (
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
          {alone ? null : (
            <Link
              href={`?${new URLSearchParams({ environment: environmentOf(network), payer: channel.payer })}`}
              className="mt-1 block text-sm"
            >
              Channels of this payer
            </Link>
          )}
        </Fact>
        <Fact name="Recipient">
          <Whole network={network} address={channel.receiver} label="recipient" />
        </Fact>
        <Fact name="ID">
          <Whole text={channel.id} label="ID" />
        </Fact>
        {state === 'closed' ? null : <Fact name="Delay">A withdrawal takes {spanText(channel.withdrawDelay)}</Fact>}
      </dl>
      <section aria-label="Timeline" className="grid content-start gap-3 border-t pt-5 @4xl:border-0 @4xl:pt-0">
        <h3 className="font-semibold">
          Timeline <span className="text-sm font-normal text-soft">({zone})</span>
        </h3>
        <TimelineSteps steps={stepsOf({ channel, claims })} />
      </section>
    </div>
  )
}

/** An amount that keeps its unit beside it. */
function InOneLine(amount: { atomic: string; token: Token }) {
  return <span className="whitespace-nowrap tabular-nums">{moneyText(amount.atomic, amount.token)}</span>
}

/** Opening, claims, refunds and last use of a channel, oldest first. */
function stepsOf({ channel, claims }: Found): TimelineStep[] {
  const { asset, network, createdAt, usedAt, state, withdrawAt } = channel
  const money = (atomic: string) => <InOneLine atomic={atomic} token={asset} />
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
            <span>Claimed up to {money(total)}</span>
            <Standing state={stands} />
            {txHash ? <Linked network={network} transaction={txHash} label="transaction" /> : null}
          </span>
        ),
      }
      if (kind !== 'refund' || claim === closing) return [claimed]
      const refunded = (
        <>
          Refunded {money(amount)} to the payer <Standing state={stands} />
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
    const text = <>Closed: {money(closing.amount)} refunded to the payer</>
    return [...shown, { key: 'closed', tone: 'good', text, time: <ColumnTime at={closing.createdAt} /> }]
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
