'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useTRPC } from '../data/trpc'
import { Button } from '../ui/button'
import { Copyable } from '../ui/copyable'
import { Drawer } from '../ui/dialog'
import { usdc } from '../ui/figures'
import { Fact, Problem, Skeleton } from '../ui/panel'
import { DeliveriesOf } from '../webhooks/deliveries-of'
import { titleOf } from './explorer'
import { Linked } from './linked'
import { Outcome } from './list'
import type { ReaderName } from './use-filters'
import { Why } from './why'

type Props = { reader: ReaderName; id: string | null; onClose: () => void; onResource: (resource: string) => void }

/** Everything about one settlement, in a drawer. */
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
              {data.txHash ? <Linked network={data.network} transaction={data.txHash} label="transaction" /> : 'Not sent'}
            </Fact>
            <Fact name="Payer">
              {data.payer ? <Linked network={data.network} address={data.payer} label="payer" /> : 'Unknown: no valid signature'}
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
                  title="Filter by this resource"
                >
                  <span className="truncate">{data.resource}</span>
                </Button>
              ) : (
                'Unnamed'
              )}
            </Fact>
            <Fact name="Plan">{data.plan}</Fact>
            {data.block ? <Fact name={data.network.startsWith('solana') ? 'Slot' : 'Block'}>{data.block}</Fact> : null}
            {data.settlementId ? (
              <Fact name="Settlement ID">
                <Copyable text={data.settlementId} label="settlement ID" />
              </Fact>
            ) : null}
          </dl>
          {data.steps.length > 0 ? <Lifecycle steps={data.steps} /> : null}
          {reader === 'merchant' && data.settlementId ? <DeliveriesOf settlement={data.settlementId} /> : null}
          {reader === 'payer' && data.success ? <Link href={`/payments/${data.id}`}>Receipt</Link> : null}
          <details>
            <summary className="cursor-pointer font-medium">Raw JSON</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access */}
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

const STATES: Record<string, string> = {
  CLAIMED: 'Verified and claimed',
  PREPARED: 'Signed and saved',
  BROADCAST: 'Sent to the network',
  PRECONFIRMED: 'Preconfirmed',
  INCLUDED: 'Included in a block',
  FINAL: 'Final',
  REJECTED: 'Rejected before signing',
  REVERTED: 'Reverted on-chain',
  USED_ELSEWHERE: 'Used by another transaction',
  EXPIRED: 'Expired unused',
  UNPAID: 'Not paid: the payer’s balance ran out',
  REVERSED: 'Reversed by a reorganization',
}

type Step = { to: string; at: string }

/** The states of a settlement and how long each took. */
function Lifecycle({ steps }: { steps: Step[] }) {
  return (
    <section aria-label="Lifecycle" className="grid gap-2">
      <h3 className="m-0 font-medium">Lifecycle</h3>
      <ol className="grid">
        {steps.map(({ to, at }, index) => (
          <li key={`${to} ${at}`} className="grid grid-cols-[1rem_minmax(0,1fr)_auto] items-baseline gap-x-3 pb-3 last:pb-0">
            <span aria-hidden className="relative grid h-full justify-items-center">
              <span className="mt-1.5 size-2 rounded-full bg-accent" />
              {index < steps.length - 1 ? <span className="absolute top-4 -bottom-2 w-px bg-line" /> : null}
            </span>
            <span>{STATES[to] ?? to.toLowerCase()}</span>
            <span className="text-[0.8125rem] text-soft tabular-nums" title={at}>
              {took(steps[index - 1], at)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function took(before: Step | undefined, at: string): string {
  if (!before) return new Date(at).toLocaleTimeString()
  const milliseconds = Date.parse(at) - Date.parse(before.at)
  return milliseconds < 10_000
    ? `+${milliseconds.toLocaleString('en')} ms`
    : `+${(milliseconds / 1_000).toLocaleString('en', { maximumFractionDigits: 1 })} s`
}
