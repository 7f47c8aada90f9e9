'use client'

import type { inferRouterOutputs } from '@trpc/server'
import Link from 'next/link'
import type { Root } from '@/server/trpc/router'
import { useZone } from '../data/zone'
import { Button, buttonClass } from '../ui/button'
import { Copyable } from '../ui/copyable'
import { wholeDate } from '../ui/dates'
import { usdc } from '../ui/figures'
import { Fact } from '../ui/panel'
import { DeliveriesOf } from '../webhooks/deliveries-of'
import { keyOf, Outcome } from './cells'
import { titleOf } from './explorer'
import { Lifecycle } from './lifecycle'
import { Linked } from './linked'
import type { ReaderName } from './use-filters'
import { Why } from './why'

type Data = inferRouterOutputs<Root>['settlements']['details']

type Props = { data: Data; reader: ReaderName; onResource: (resource: string) => void }

/** The facts of a settlement, its lifecycle and its JSON. */
export function Facts({ data, reader, onResource }: Props) {
  const zone = useZone()
  return (
    <div className="grid gap-6">
      <header className="grid justify-items-start gap-1">
        <Outcome row={data} />
        <p className="m-0 text-3xl font-semibold tracking-tight tabular-nums">
          {usdc(data.amount)}{' '}
          <span className="text-base font-normal tracking-normal text-soft">USDC on {titleOf(data.network)}</span>
        </p>
        <p className="m-0 text-soft">
          <time dateTime={data.createdAt} title={data.createdAt}>
            {wholeDate(new Date(data.createdAt), zone)}
          </time>
        </p>
        {reader === 'payer' && data.success ? (
          <Link href={`/payments/${data.id}`} className={buttonClass({ size: 'small' })}>
            Receipt
          </Link>
        ) : null}
      </header>
      {data.errorReason ? <Why reason={data.errorReason} /> : null}
      <dl className="grid gap-3">
        <Fact name="Transaction">
          {data.txHash ? <Linked network={data.network} transaction={data.txHash} label="transaction" whole /> : 'Not sent'}
        </Fact>
        <Fact name="Payer">
          {data.payer ? (
            <Linked network={data.network} address={data.payer} label="payer" whole />
          ) : (
            'Unknown: no valid signature'
          )}
          {data.payer && reader !== 'payer' ? (
            <Link href={`?payer=${data.payer}`} className="mt-1 block text-[0.8125rem]">
              Settlements of this payer
            </Link>
          ) : null}
          {data.agents.map(({ token_id, name, url }) => (
            <a key={token_id} href={url} target="_blank" rel="noreferrer" className="mt-1 block text-[0.8125rem]">
              {name ?? `Agent ${token_id}`}
            </a>
          ))}
        </Fact>
        <Fact name="Paid to">
          <Linked network={data.network} address={data.payTo} label="recipient" whole />
        </Fact>
        <Fact name="Resource">
          {data.resource ? (
            <span className="grid justify-items-start gap-1.5">
              <Copyable text={data.resource} shown={data.resource} label="resource" />
              <Button size="small" onClick={() => onResource(data.resource)}>
                Filter by this resource
              </Button>
            </span>
          ) : (
            'Unnamed'
          )}
        </Fact>
        {data.owner ? <Fact name="Owner">{`${data.owner.id} (${data.owner.kind})`}</Fact> : null}
        {reader === 'payer' ? null : <Fact name="Key">{keyOf(data)}</Fact>}
        {data.block ? <Fact name={data.network.startsWith('solana') ? 'Slot' : 'Block'}>{data.block}</Fact> : null}
        <Fact name={data.settlementId ? 'Settlement ID' : 'ID'}>
          <Copyable
            text={data.settlementId ?? data.id}
            shown={data.settlementId ?? data.id}
            label={data.settlementId ? 'settlement ID' : 'ID'}
          />
        </Fact>
        <Fact name="Plan">
          <span className="capitalize">{data.plan}</span>
        </Fact>
      </dl>
      {data.steps.length > 0 ? <Lifecycle steps={data.steps} /> : null}
      {reader === 'merchant' && data.settlementId ? <DeliveriesOf settlement={data.settlementId} /> : null}
      <details>
        <summary className="cursor-pointer font-medium">Raw JSON</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access */}
        <pre tabIndex={0} className="mt-2 overflow-x-auto rounded-lg bg-code p-3 text-xs leading-relaxed">
          {JSON.stringify(data, null, 2)}
        </pre>
      </details>
    </div>
  )
}
