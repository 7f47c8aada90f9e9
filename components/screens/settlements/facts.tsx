'use client'

import { useQuery } from '@tanstack/react-query'
import { ReceiptText } from 'lucide-react'
import Link from 'next/link'
import { networkTitle, pastEnvironmentOf } from '@/server/x402/networks/networks'
import { Why } from '../../client/failure-causes'
import type { ReaderName } from '../../client/filter-parsers'
import { ShareReceipt } from '../../client/receipt/share-receipt'
import { REFRESH_MS } from '../../client/refresh'
import { useTRPC } from '../../client/trpc'
import { DeliveryState, responseOf } from '../../client/webhook-texts'
import { useZone } from '../../client/zone'
import { Badge } from '../../ui/badge'
import { buttonClass } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { wholeDate } from '../../ui/dates'
import { Whole } from '../../ui/explorer-link'
import { amountText } from '../../ui/figures'
import { Fact, Skeleton } from '../../ui/panel'
import { Stamp } from '../../ui/receipt-slip'
import { ResourceName } from '../../ui/resource-name'
import { keyOf, Outcome } from './cells'
import { CopyForPayer } from './copy-for-payer'
import type { SettlementDetails } from './known-details'
import { forPayer, type Step, stepsTo, Timeline } from './timeline'

type Data = SettlementDetails

type Props = {
  data: Data
  /** Whether its steps and proof are not read yet. */
  partial: boolean
  reader: ReaderName
  onResource: (resource: string) => void
}

/** The facts of a settlement, its timeline and its JSON. */
export function Facts({ data, partial, reader, onResource }: Props) {
  const zone = useZone()
  const steps = data.steps.length > 0 ? data.steps : stepsTo(endOf(data), data.settleMs)
  return (
    <div className="grid grid-cols-1 gap-5">
      <header className="grid grid-cols-1 justify-items-start gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <span className="text-3xl font-semibold tracking-tight tabular-nums">
            {amountText(data.amount, data.decimals)}{' '}
            <span className="text-base font-normal tracking-normal text-soft">{data.asset}</span>
          </span>
          {data.pending ? (
            <Outcome row={data} />
          ) : (
            <Stamp tone={data.success ? 'good' : 'bad'}>
              {data.success ? 'Settled' : data.state === 'REVERSED' ? 'Reversed' : 'Failed'}
            </Stamp>
          )}
          {pastEnvironmentOf(data.network) === 'testnet' ? <Badge tone="warn">Test</Badge> : null}
        </p>
        {data.resource ? <ResourceName url={data.resource} name={data.resourceName} className="max-w-full font-medium" /> : null}
        <p className="text-soft">
          {networkTitle(data.network)} ·{' '}
          <time dateTime={data.createdAt} title={data.createdAt}>
            {wholeDate(new Date(data.createdAt), zone)}
          </time>
        </p>
        {reader === 'payer' && data.success ? (
          <Link href={`/payments/${data.id}`} className={cx(buttonClass({ look: 'primary' }), 'mt-3 max-sm:w-full')}>
            <ReceiptText aria-hidden className="size-4" /> View receipt
          </Link>
        ) : null}
      </header>
      {reader === 'merchant' ? <Receipt key={data.id} data={data} partial={partial} /> : null}
      {data.errorReason ? (
        <Why
          reason={data.errorReason}
          reader={reader}
          id={data.settlementId ?? data.id}
          asset={data.asset}
          title={data.reasonTitle}
        >
          {reader === 'payer' ? null : <CopyForPayer payment={data} reason={data.errorReason} />}
        </Why>
      ) : null}
      <div className={cx(PART, 'empty:hidden')}>
        {partial && (data.settlementId || data.success) ? (
          <Skeleton className="h-24" />
        ) : (
          <Timeline steps={reader === 'payer' ? forPayer(steps) : steps} />
        )}
      </div>
      <dl className={cx(PART, 'grid gap-3')}>
        {data.maximum === null ? null : (
          <Fact name="Authorized">
            Up to {amountText(data.maximum, data.decimals)} {data.asset}
          </Fact>
        )}
        <Fact name="Transaction">
          {data.txHash ? (
            <Whole network={data.network} transaction={data.txHash} label="transaction" />
          ) : data.pending ? (
            'Not sent yet'
          ) : data.success ? (
            'None: nothing was charged'
          ) : data.settlementId === null ? (
            'Not sent: refused at the check'
          ) : (
            'Not sent'
          )}
        </Fact>
        <Fact name={reader === 'payer' ? 'Payer (you)' : 'Payer'}>
          {data.payer ? <Whole network={data.network} address={data.payer} label="payer" /> : 'Unknown: no valid signature'}
          {data.payer && reader !== 'payer' ? (
            <Link href={`?payer=${data.payer}`} className={MORE}>
              Settlements of this payer
            </Link>
          ) : null}
          {data.agents.map(({ token_id, name, url }) => (
            <a key={token_id} href={url} target="_blank" rel="noreferrer" className={MORE}>
              {name ?? `Agent ${token_id}`}
            </a>
          ))}
        </Fact>
        <Fact name="Recipient">
          {data.payToName ? <p>{data.payToName}</p> : null}
          <Whole network={data.network} address={data.payTo} label="recipient" />
        </Fact>
        <Fact name="Resource">
          {data.resource ? (
            <>
              <Whole text={data.resource} label="resource" />
              <button type="button" onClick={() => onResource(data.resource)} className={cx(MORE, 'text-accent underline')}>
                {reader === 'payer' ? 'Payments' : 'Settlements'} of this resource
              </button>
            </>
          ) : (
            'Unnamed'
          )}
        </Fact>
        {data.secondAt ? (
          <Fact name="Second payment">
            Refused on {wholeDate(new Date(data.secondAt), zone)}, because this answer could be lost; it took no money.
          </Fact>
        ) : null}
        {data.owner ? <Fact name="Owner">{`${data.owner.id} (${data.owner.kind})`}</Fact> : null}
        {reader === 'payer' ? null : (
          <Fact name="Key">
            <Link href={KEYS[reader](data.tenantId)}>{keyOf(data)}</Link>
          </Fact>
        )}
        <Fact name="ID">
          <Whole text={data.settlementId ?? data.id} label="ID" />
        </Fact>
        {reader === 'payer' ? null : (
          <Fact name="Plan">
            <span className="capitalize">{data.plan}</span>
          </Fact>
        )}
      </dl>
      {data.block ? (
        <details className={PART}>
          <summary className="unfolds flex w-fit items-center gap-2.5 font-medium">On-chain details</summary>
          <dl className="mt-3 grid gap-3">
            <Fact name={data.network.startsWith('solana') ? 'Slot' : 'Block'}>{data.block}</Fact>
            {data.logIndex === null ? null : <Fact name="Log index">{data.logIndex}</Fact>}
            {data.finality ? <Fact name="Finality">{FINALITY[data.finality]}</Fact> : null}
          </dl>
        </details>
      ) : null}
      {reader === 'merchant' && data.settlementId ? (
        <div className={cx(PART, 'empty:hidden')}>
          <DeliveriesOf settlement={data.settlementId} />
        </div>
      ) : null}
      <details className={PART} hidden={partial}>
        <summary className="unfolds flex w-fit items-center gap-2.5 font-medium">Raw JSON</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content needs keyboard access */}
        <pre tabIndex={0} className="mt-2 mb-3 overflow-x-auto rounded-lg bg-code p-3 text-xs leading-relaxed">
          {JSON.stringify(data, null, 2)}
        </pre>
      </details>
    </div>
  )
}

// Where each reader sees a key; an administrator sees its settlements.
const KEYS = {
  merchant: (id) => `/dashboard/keys/${id}`,
  agent: () => '/agent',
  admin: (id) => `?tenant=${id}`,
} as const satisfies Record<Exclude<ReaderName, 'payer'>, (id: string) => string>

/** How final a block is, in the words of the timeline and of receipts. */
const FINALITY = {
  preconfirmed: 'Preconfirmed, not final yet',
  included: 'In a block, not final yet',
  safe: 'Final',
  finalized: 'Final, finalized by the network',
} as const satisfies Record<NonNullable<Data['finality']>, string>

const MORE = 'mt-1 block text-sm'
const PART = 'border-t pt-5'

function endOf({ success, txHash, createdAt }: Data): Step {
  const to = success ? 'SETTLED' : txHash ? 'FAILED' : 'REFUSED'
  return { to, at: createdAt }
}

/** Shares the receipt of a settled payment. */
function Receipt({ data, partial }: { data: Data; partial: boolean }) {
  const comes = partial && data.success && data.settlementId !== null
  if (!data.receipt && !comes) return null
  return (
    <div className={cx(PART, 'grid gap-3')}>
      <header className="flex items-baseline justify-between gap-3">
        <h3 className="font-medium">Public receipt</h3>
        {data.receiptUrl ? <span className="text-sm">Anyone with the link can see it</span> : null}
      </header>
      {comes ? <Skeleton className="h-8 w-33" /> : <ShareReceipt reader="merchant" id={data.id} url={data.receiptUrl} />}
    </div>
  )
}

/** The webhook deliveries of a settlement; renders nothing if there are none. */
function DeliveriesOf({ settlement }: { settlement: string }) {
  const trpc = useTRPC()
  const { data } = useQuery(
    trpc.webhooks.deliveries.queryOptions({ settlement, limit: 20 }, { refetchInterval: REFRESH_MS.settlement }),
  )
  if (!data || data.deliveries.length === 0) return null
  return (
    <section aria-label="Webhooks" className="grid gap-2">
      <h3 className="font-medium">Webhooks</h3>
      <ul className="grid gap-1.5">
        {data.deliveries.map((row) => (
          <li key={row.id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm">
            <Link href={`/dashboard/webhooks?delivery=${row.id}`} className="font-mono">
              {row.event}
            </Link>
            <span className="flex items-center gap-2">
              <span className="text-soft">{responseOf(row)}</span>
              <DeliveryState state={row.state} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
