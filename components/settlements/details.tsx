'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { useTRPC } from '../data/trpc'
import { Button } from '../ui/button'
import { Copyable } from '../ui/copyable'
import { Drawer } from '../ui/dialog'
import { usdc } from '../ui/figures'
import { Problem, Skeleton } from '../ui/panel'
import { DeliveriesOf } from '../webhooks/deliveries-of'
import { titleOf } from './explorer'
import { Lifecycle } from './lifecycle'
import { Linked } from './linked'
import { Outcome } from './list'
import type { ReaderName } from './screen'
import { Why } from './why'

type Props = { reader: ReaderName; id: string | null; onClose: () => void; onResource: (resource: string) => void }

/** All that is known of one settlement, beside the list. */
export function Details({ reader, id, onClose, onResource }: Props) {
  const trpc = useTRPC()
  const query = useQuery(
    trpc.settlements.details.queryOptions({ reader, id: id ?? '' }, { enabled: id !== null, refetchInterval: 5_000 }),
  )
  const { data } = query
  return (
    <Drawer title="Settlement" open={id !== null} onClose={onClose}>
      {query.error ? <Problem error={query.error} retry={query.refetch} /> : null}
      {data ? (
        <div className="grid gap-6">
          <header className="grid justify-items-start gap-1">
            <Outcome row={data} />
            <p className="m-0 text-3xl font-semibold tracking-tight tabular-nums">
              {usdc(data.amount)} <span className="text-base font-normal text-soft">USDC on {titleOf(data.network)}</span>
            </p>
            <p className="m-0 text-soft">
              {new Date(data.createdAt).toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'medium' })}
            </p>
          </header>
          {data.errorReason ? <Why reason={data.errorReason} /> : null}
          <dl className="grid gap-3">
            <Fact name="Transaction">
              {data.txHash ? <Linked network={data.network} transaction={data.txHash} label="transaction" /> : 'nothing was sent'}
            </Fact>
            <Fact name="Payer">
              {data.payer ? <Linked network={data.network} address={data.payer} label="payer" /> : 'no signature vouched for one'}
              {data.agents.map(({ token_id, name, url }) => (
                <a key={token_id} href={url} target="_blank" rel="noreferrer" className="mt-1 block text-[0.8125rem]">
                  {name ?? `Agent ${token_id}`}
                </a>
              ))}
            </Fact>
            <Fact name="Paid to">
              <Linked network={data.network} address={data.payTo} label="recipient" />
            </Fact>
            <Fact name="Resource">
              {data.resource ? (
                <Button
                  look="quiet"
                  size="small"
                  className="-ml-3 max-w-full"
                  onClick={() => onResource(data.resource)}
                  title="Show this resource only"
                >
                  <span className="truncate">{data.resource}</span>
                </Button>
              ) : (
                'not named'
              )}
            </Fact>
            <Fact name="Plan">{data.plan}</Fact>
            {data.block ? <Fact name={data.network.startsWith('solana') ? 'Slot' : 'Block'}>{data.block}</Fact> : null}
            {data.settlementId ? (
              <Fact name="Settlement id">
                <Copyable text={data.settlementId} label="settlement id" />
              </Fact>
            ) : null}
          </dl>
          {data.steps.length > 0 ? <Lifecycle steps={data.steps} /> : null}
          {reader === 'merchant' && data.settlementId ? <DeliveriesOf settlement={data.settlementId} /> : null}
          {reader === 'payer' && data.success ? <Link href={`/payments/${data.id}`}>Receipt</Link> : null}
          <details>
            <summary className="cursor-pointer font-medium">Raw</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
            <pre tabIndex={0} className="mt-2 overflow-x-auto rounded-lg bg-code p-3 text-xs leading-relaxed">
              {JSON.stringify(data, null, 2)}
            </pre>
          </details>
        </div>
      ) : (
        <Skeleton className="h-64" />
      )}
    </Drawer>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[7rem_minmax(0,1fr)] items-start gap-3">
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}
