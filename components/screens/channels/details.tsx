'use client'

import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import Link from 'next/link'
import type { Root } from '@/server/trpc/router'
import { isNetworkId, networkTitle } from '@/server/x402/networks/networks'
import { DepositBar } from '../../client/channels/deposit-bar'
import { ChannelState } from '../../client/channels/state'
import { Problem } from '../../client/problem'
import { ColumnTime, ExactTime } from '../../client/time'
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
  const allClaimed = channel.atRisk === '0'
  const money = (atomic: string) => <span className="tabular-nums">{moneyText(atomic, asset)}</span>
  return (
    <div className="grid grid-cols-1 gap-6">
      <header className="grid grid-cols-1 justify-items-start gap-1">
        <ChannelState state={channel.state} />
        <p className="text-3xl font-semibold tracking-tight tabular-nums">
          {amountText(allClaimed ? channel.claimed : channel.atRisk, asset.decimals)}{' '}
          <span className="text-base font-normal tracking-normal text-soft">
            {asset.symbol} {allClaimed ? 'claimed' : 'charged, not yet claimed'}
          </span>
        </p>
        <p className="text-soft">
          {allClaimed ? 'No charge waits for a claim.' : 'The payer could withdraw it after the withdrawal delay.'}
        </p>
        <DepositBar balance={channel.balance} claimed={channel.claimed} charged={channel.charged} className="mt-3 h-2" />
      </header>
      <dl className="grid gap-3">
        <Fact name="Deposited">{money(channel.balance)}</Fact>
        <Fact name="Signed">{money(channel.signed)}</Fact>
        <Fact name="Charged">{money(channel.charged)}</Fact>
        <Fact name="Claimed">{money(channel.claimed)}</Fact>
        <Fact name="Next claim">
          {channel.claimBy ? (
            <>
              By <ExactTime at={channel.claimBy} />
            </>
          ) : allClaimed ? (
            'Nothing to claim'
          ) : (
            'By your server: it does not keep its channels here'
          )}
        </Fact>
        {channel.unclaimable ? <Fact name="Cannot claim">{channel.unclaimable}</Fact> : null}
        {channel.withdrawAt && channel.withdrawBy ? (
          <>
            <Fact name="Withdrawal">
              {money(channel.withdrawing)}, asked for <ExactTime at={channel.withdrawAt} />
            </Fact>
            <Fact name="Deadline">
              <ExactTime at={channel.withdrawBy} />
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
        </Fact>
        <Fact name="Recipient">
          <Whole network={network} address={channel.receiver} label="recipient" />
        </Fact>
        <Fact name="ID">
          <Whole text={channel.id} label="ID" />
        </Fact>
        <Fact name="Opened">
          <ExactTime at={channel.createdAt} />
        </Fact>
      </dl>
      <section aria-label="Claims" className="grid gap-2">
        <h3 className="font-semibold">Claims</h3>
        {claims.length === 0 ? (
          <p className="text-sm text-soft">
            {channel.claimed === '0' ? 'Nothing is claimed yet.' : 'Claimed outside Quittance.'}
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
