'use client'

import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { ArrowLeft, Download, Printer } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import type { Root } from '@/server/trpc/router'
import { useTRPC } from '../data/trpc'
import { explorerName, titleOf, transactionUrl } from '../settlements/explorer'
import { ScreenHead } from '../shell/shell'
import { Button, buttonClass } from '../ui/button'
import { Copyable } from '../ui/copyable'
import { usdc } from '../ui/figures'
import { Empty, Panel, Problem, Skeleton } from '../ui/panel'

/** The receipt of a payment, to print or download. */
export function ReceiptScreen({ id }: { id: string }) {
  const trpc = useTRPC()
  const { data, error, refetch } = useQuery(trpc.settlements.details.queryOptions({ reader: 'payer', id }))
  return (
    <div className="mx-auto max-w-3xl">
      <div className="print:hidden">
        <ScreenHead title="Receipt">
          <Link href="/payments" className={buttonClass({ look: 'quiet', size: 'small' })}>
            <ArrowLeft aria-hidden className="size-4" /> Payments
          </Link>
          <Button size="small" disabled={!data?.success} onClick={() => print()}>
            <Printer aria-hidden className="size-4" /> Print
          </Button>
          <Button size="small" disabled={!data?.success} onClick={() => data && download(data)}>
            <Download aria-hidden className="size-4" /> JSON
          </Button>
        </ScreenHead>
      </div>
      {error ? <Problem error={error} retry={refetch} /> : null}
      {data || error ? null : <Skeleton className="h-[34rem]" />}
      {data && !data.success ? (
        <Panel>
          <Empty title="This payment failed">No money moved, so there is no receipt.</Empty>
        </Panel>
      ) : null}
      {data?.success ? <Receipt data={data} /> : null}
    </div>
  )
}

type Details = inferRouterOutputs<Root>['settlements']['details']

function Receipt({ data }: { data: Details }) {
  const url = transactionUrl(data.network, data.txHash)
  return (
    <article className="grid gap-8 rounded-xl border border-solid border-line bg-card p-6 sm:p-8 print:border-0 print:bg-transparent print:p-0">
      <header className="grid gap-1">
        <p className="m-0 text-soft">Paid</p>
        <p className="m-0 text-4xl font-semibold tracking-tight tabular-nums">
          {usdc(data.amount)} <span className="text-lg font-normal text-soft">USDC</span>
        </p>
        <p className="m-0 text-soft">
          {new Date(data.createdAt).toLocaleString('en', { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })}
        </p>
      </header>
      <dl className="grid border-0 border-t border-solid border-line">
        <Line name="For">{data.resource || 'Unnamed'}</Line>
        <Line name="Paid by">
          <FullText text={data.payer} label="payer" />
        </Line>
        <Line name="Paid to">
          <FullText text={data.payTo} label="recipient" />
        </Line>
        <Line name="Network">
          {titleOf(data.network)} <span className="text-soft">{data.network}</span>
        </Line>
        <Line name="Transaction">
          <FullText text={data.txHash} label="transaction" />
          {url ? (
            <a href={url} target="_blank" rel="noreferrer" className="mt-1 block text-[0.8125rem] print:hidden">
              View on {explorerName(data.network)}
            </a>
          ) : null}
        </Line>
        {data.block ? <Line name={data.network.startsWith('solana') ? 'Slot' : 'Block'}>{data.block}</Line> : null}
        <Line name="Receipt ID">
          <FullText text={data.id} label="id" />
        </Line>
      </dl>
      <p className="m-0 text-[0.8125rem] text-soft">
        Settled by Quittance, which never held the money. Anyone can check this receipt against the public transaction.
      </p>
    </article>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 border-0 border-b border-solid border-line py-3 sm:grid-cols-[8rem_minmax(0,1fr)] print:grid-cols-[8rem_minmax(0,1fr)]">
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}

// Print shows the full text.
function FullText({ text, label }: { text: string; label: string }) {
  return (
    <>
      <span className="sm:hidden print:hidden">
        <Copyable text={text} label={label} />
      </span>
      <span className="max-sm:hidden print:hidden">
        <Copyable text={text} shown={text} label={label} />
      </span>
      <span className="hidden font-mono text-[0.8125rem] break-all print:inline">{text}</span>
    </>
  )
}

function download(data: Details): void {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(receiptOf(data), null, 2)}\n`], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `receipt-${data.id}.json`
  link.click()
  URL.revokeObjectURL(url)
}

/** A receipt as JSON: parties, amount, resource and the public transaction. */
function receiptOf(details: Details) {
  return {
    receipt_for: details.id,
    settlement_id: details.settlementId,
    paid_at: details.createdAt,
    amount_usdc: usdc(details.amount).replaceAll(',', ''),
    amount_atomic: details.amount,
    network: details.network,
    transaction: details.txHash,
    block: details.block,
    payer: details.payer,
    pay_to: details.payTo,
    resource: details.resource,
  }
}
