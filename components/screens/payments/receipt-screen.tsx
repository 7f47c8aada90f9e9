'use client'

import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { ArrowLeft, Download, Printer } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import type { Root } from '@/server/trpc/router'
import { exactAmount } from '@/server/x402/networks/amounts'
import { USDC } from '@/server/x402/networks/assets'
import { explorerName, transactionUrl } from '@/server/x402/networks/explorers'
import { networkTitle, pastEnvironmentOf } from '@/server/x402/networks/networks'
import { Problem } from '../../client/problem'
import { settlementQuery } from '../../client/queries'
import { ScreenHead } from '../../client/screen-head'
import { mayChange, stateTitle } from '../../client/settlement-states'
import { useTRPC } from '../../client/trpc'
import { useZone } from '../../client/zone'
import { Badge } from '../../ui/badge'
import { Button, buttonClass } from '../../ui/button'
import { Copyable } from '../../ui/copyable'
import { clockTime, exactDate, wholeDate, zoneName } from '../../ui/dates'
import { download } from '../../ui/download'
import { amountText } from '../../ui/figures'
import { Empty, Panel, Skeleton } from '../../ui/panel'
import { SignedReceipt } from './signed-receipt'

/** The receipt of a payment, to print or download. */
export function ReceiptScreen({ id }: { id: string }) {
  const trpc = useTRPC()
  const { data, error, refetch } = useQuery(settlementQuery(trpc, 'payer', id))
  // An id that is no UUID is a bad request.
  const unknown = error?.data?.code === 'NOT_FOUND' || error?.data?.code === 'BAD_REQUEST'
  return (
    <div className="mx-auto max-w-3xl">
      <div className="print:hidden">
        <Link
          href={data ? listOf(data) : '/payments'}
          className="mb-1 inline-flex min-h-6 items-center gap-1 text-sm text-soft no-underline hover:text-ink"
        >
          <ArrowLeft aria-hidden className="size-4" /> Payments
        </Link>
        <ScreenHead title="Receipt">
          {(data && !data.success) || error ? null : (
            <>
              <Button size="small" disabled={!data} onClick={() => print()}>
                <Printer aria-hidden className="size-4" /> Print
              </Button>
              <Button size="small" disabled={!data} onClick={() => data && save(data)}>
                <Download aria-hidden className="size-4" /> JSON
              </Button>
            </>
          )}
        </ScreenHead>
      </div>
      {unknown ? (
        <Panel>
          <Empty
            title="No such payment"
            action={
              <Link href="/payments" className={buttonClass({ look: 'primary' })}>
                View payments
              </Link>
            }
          >
            This wallet has no payment with this ID. Check the link, or sign in with the wallet that paid.
          </Empty>
        </Panel>
      ) : null}
      {error && !data && !unknown ? <Problem error={error} retry={refetch} /> : null}
      {data || error ? null : <Skeleton className="h-[34rem]" />}
      {data && !data.success ? (
        <Panel>
          <Empty
            title="This payment failed"
            action={
              <Link href={`${listOf(data)}&id=${data.id}`} className={buttonClass({ look: 'primary' })}>
                View what happened
              </Link>
            }
          >
            No money moved, so there is no receipt.
          </Empty>
        </Panel>
      ) : null}
      {data?.success ? <Receipt data={data} /> : null}
    </div>
  )
}

type Details = inferRouterOutputs<Root>['settlements']['details']

function Receipt({ data }: { data: Details }) {
  const zone = useZone()
  const at = new Date(data.createdAt)
  const url = transactionUrl(data.network, data.txHash)
  return (
    <article
      aria-label="Payment receipt"
      className="grid gap-8 panel p-6 sm:p-8 print:gap-6 print:border-0 print:bg-transparent print:p-0"
    >
      <header className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <div className="grid gap-1">
          {/* On paper nothing else says what this is. */}
          <p className="hidden font-medium print:block">Payment receipt</p>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="text-4xl font-semibold tracking-tight tabular-nums">
              {amountText(data.amount, data.decimals)}{' '}
              <span className="text-lg font-normal tracking-normal text-soft">{data.asset}</span>
            </span>
            <Badge tone="good">{statusOf(data.state)}</Badge>
            {isTest(data.network) ? <Badge tone="warn">Test money</Badge> : null}
          </p>
          <p className="text-soft">{wholeDate(at, zone)}</p>
        </div>
        <p className="text-right text-sm text-soft max-sm:text-left">
          Quittance
          <br />
          {data.facilitator}
        </p>
      </header>
      <dl className="grid border-t">
        <ReceiptLine name="Paid by">
          <FullText text={data.payer} label="payer" />
        </ReceiptLine>
        <ReceiptLine name="Recipient">
          <FullText text={data.payTo} label="recipient" />
        </ReceiptLine>
        <ReceiptLine name="For">{data.resource || 'Unnamed'}</ReceiptLine>
        <ReceiptLine name="Atomic units">
          <span className="tabular-nums">{data.amount}</span>
        </ReceiptLine>
        <ReceiptLine name="Asset">
          {data.asset} {data.assetAddress ? <FullText text={data.assetAddress} label="asset" /> : null}
        </ReceiptLine>
        <ReceiptLine name="Network">
          {networkTitle(data.network)} <span className="text-soft">{data.network}</span>
        </ReceiptLine>
        <ReceiptLine name="Exact time">
          {clockTime(at, zone)} {zoneName(at, zone)}
          {zone === 'UTC' ? null : <span className="block text-soft">{exactDate(at, 'UTC')}</span>}
        </ReceiptLine>
        <ReceiptLine name="Transaction">
          <FullText text={data.txHash} label="transaction" />
          {url ? (
            <>
              <a href={url} target="_blank" rel="noreferrer" className="mt-1 block text-sm print:hidden">
                View on {explorerName(data.network)}
              </a>
              <span className="mt-1 hidden text-sm break-all text-soft print:block">{url}</span>
            </>
          ) : null}
        </ReceiptLine>
        {data.block ? <ReceiptLine name={data.network.startsWith('solana') ? 'Slot' : 'Block'}>{data.block}</ReceiptLine> : null}
        {data.settlementId ? (
          <ReceiptLine name="Settlement ID">
            <FullText text={data.settlementId} label="settlement ID" />
          </ReceiptLine>
        ) : null}
        <ReceiptLine name="Receipt ID">
          <FullText text={data.id} label="receipt ID" />
        </ReceiptLine>
      </dl>
      {data.receipt ? <SignedReceipt receipt={data.receipt} /> : null}
      <p className="text-sm text-soft">
        Quittance settled this payment. Anyone can check this receipt against the public transaction.
      </p>
    </article>
  )
}

// The list of the environment that has this payment.
const listOf = ({ network }: Details) => `/payments?environment=${isTest(network) ? 'testnet' : 'mainnet'}`

const isTest = (network: string) => pastEnvironmentOf(network) === 'testnet'

function statusOf(state: string | null): string {
  if (state === 'FINAL') return 'Settled, final'
  return state !== null && mayChange(state) ? `Settled: ${stateTitle(state).toLowerCase()}, not final yet` : 'Settled'
}

function ReceiptLine({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 border-b py-3 sm:grid-cols-[8rem_minmax(0,1fr)] print:grid-cols-[8rem_minmax(0,1fr)] print:break-inside-avoid print:py-1.5">
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}

// Print shows the full text.
function FullText({ text, label }: { text: string; label: string }) {
  return (
    <>
      <span className="print:hidden">
        <Copyable text={text} shown={text} label={label} />
      </span>
      <span className="hidden font-mono text-sm break-all print:inline">{text}</span>
    </>
  )
}

function save(data: Details): void {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(receiptOf(data), null, 2)}\n`], { type: 'application/json' }))
  download(url, `receipt-${data.id}.json`)
  URL.revokeObjectURL(url)
}

/** A receipt as JSON: parties, amount, resource and the public transaction. */
function receiptOf(details: Details) {
  const amount = exactAmount(BigInt(details.amount), details.decimals)
  return {
    receipt_for: details.id,
    settlement_id: details.settlementId,
    paid_at: details.createdAt,
    ...(details.asset === USDC.symbol ? { amount_usdc: amount } : {}),
    amount,
    symbol: details.asset,
    amount_atomic: details.amount,
    asset: details.assetAddress,
    network: details.network,
    status: details.state,
    transaction: details.txHash,
    block: details.block,
    log_index: details.logIndex,
    signed_receipt: details.receipt,
    explorer_url: transactionUrl(details.network, details.txHash) ?? null,
    facilitator: details.facilitator,
    payer: details.payer,
    pay_to: details.payTo,
    resource: details.resource,
  }
}
