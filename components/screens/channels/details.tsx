'use client'

import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import Link from 'next/link'
import type { Root } from '@/server/trpc/router'
import { environmentOf, isNetworkId, networkTitle } from '@/server/x402/networks/networks'
import { DepositBar } from '../../client/channels/deposit-bar'
import { ChannelState } from '../../client/channels/state'
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
          <ChannelState state={channel.state} />
        </p>
        <p className="text-soft">
          {!allClaimed
            ? 'The payer could withdraw it after the withdrawal delay.'
            : allEqual
              ? 'All that was deposited was signed, charged and claimed.'
              : 'No charge waits for a claim.'}
        </p>
        <DepositBar balance={channel.balance} claimed={channel.claimed} charged={channel.charged} className="mt-3 h-2" />
      </header>
      <dl className="grid gap-3">
        {allEqual ? null : (
          <>
            <Fact name="Deposited">{money(channel.balance)}</Fact>
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
        <Fact name="Withdrawal delay">{spanText(channel.withdrawDelay)}</Fact>
        <Fact name="Network">{networkTitle(network)}</Fact>
        <Fact name="Key">
          <Link href={`/dashboard/keys/${channel.keyId}`}>{channel.keyName || 'Unnamed key'}</Link>
        </Fact>
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
        <Fact name="Opened">
          <ColumnTime at={channel.createdAt} /> {zone}
        </Fact>
      </dl>
      <section aria-label="Claims" className="grid gap-2">
        <h3 className="font-semibold">Claims</h3>
        {claims.length === 0 ? (
          <p className="text-sm text-soft">
            {channel.claimed === '0'
              ? 'Nothing is claimed yet.'
              : 'Another service made the claim. Quittance has no record of its transaction.'}
          </p>
        ) : (
          <ul className="grid gap-2">
            {claims.map(({ kind, total, state, txHash, createdAt }) => (
              <li
                key={`${kind} ${total} ${createdAt}`}
                className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm"
              >
                <span className="flex items-center gap-2">
                  <ClaimState state={state} />
                  {kind === 'refund' ? 'Refund, claimed' : 'Claimed'} up to {money(total)}
                </span>
                <span className="flex items-center gap-3">
                  <ColumnTime at={createdAt} />
                  {txHash ? <Linked network={network} transaction={txHash} label="transaction" /> : null}
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}

const LANDED: ReadonlySet<string> = new Set(['PRECONFIRMED', 'INCLUDED', 'FINAL'])
const UNDER_WAY: ReadonlySet<string> = new Set(['CLAIMED', 'PREPARED', 'BROADCAST'])

function ClaimState({ state }: { state: string }) {
  if (LANDED.has(state)) return <Badge tone="good">Settled</Badge>
  return UNDER_WAY.has(state) ? <Badge tone="warn">In progress</Badge> : <Badge tone="bad">Failed</Badge>
}
