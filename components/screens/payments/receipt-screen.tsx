'use client'

import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { Download, Printer } from 'lucide-react'
import Link from 'next/link'
import type { Root } from '@/server/trpc/router'
import { exactAmount } from '@/server/x402/networks/amounts'
import { USDC } from '@/server/x402/networks/assets'
import { transactionUrl } from '@/server/x402/networks/explorers'
import { pastEnvironmentOf } from '@/server/x402/networks/networks'
import { isNoSuch, NoSuch } from '../../client/no-such'
import { Problem } from '../../client/problem'
import { settlementQuery } from '../../client/queries'
import { PrintedSignature } from '../../client/receipt/printed-signature'
import { Proofs } from '../../client/receipt/proofs'
import { ReceiptCode } from '../../client/receipt/receipt-code'
import { ReceiptSlip } from '../../client/receipt/receipt-slip'
import { ShareReceipt } from '../../client/receipt/share-receipt'
import type { SlipFacts } from '../../client/receipt/slip-facts'
import { BackLink, ScreenHead } from '../../client/screen-head'
import { useTRPC } from '../../client/trpc'
import { useZone } from '../../client/zone'
import { Button, buttonClass } from '../../ui/button'
import { cx } from '../../ui/class-names'
import { download } from '../../ui/download'
import { Skeleton } from '../../ui/panel'

/** The receipt of a payment, to print, download or share. */
export function ReceiptScreen({ id }: { id: string }) {
  const trpc = useTRPC()
  const { data, error, refetch } = useQuery(settlementQuery(trpc, 'payer', id))
  const unknown = isNoSuch(error)
  return (
    <div className="mx-auto max-w-[60rem]">
      <div className="mx-auto max-w-[27rem] lg:max-w-none print:hidden">
        <BackLink href={data ? listOf(data) : '/payments'}>Payments</BackLink>
        <ScreenHead title="Receipt">
          {data?.receipt ? <ShareReceipt reader="payer" id={data.id} url={data.receiptUrl} /> : null}
          {data || error ? null : <Skeleton className="h-8 w-33" />}
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
        <NoSuch title="No such payment" href="/payments" action="View payments">
          This wallet has no payment with this ID. Check the link, or sign in with the wallet that paid.
        </NoSuch>
      ) : null}
      {error && !data && !unknown ? <Problem error={error} retry={refetch} whole /> : null}
      {data || error ? null : (
        <div className="mx-auto grid max-w-[27rem] grid-cols-1 items-start gap-x-8 gap-y-6 xl:gap-x-14 pt-2 lg:max-w-none lg:grid-cols-[24rem_minmax(0,1fr)] xl:grid-cols-[27rem_minmax(0,1fr)]">
          <Skeleton className="h-[36rem]" />
          <Skeleton className="h-72" />
        </div>
      )}
      {data ? <Receipt data={data} /> : null}
    </div>
  )
}

type Details = inferRouterOutputs<Root>['settlements']['details']

function Receipt({ data }: { data: Details }) {
  const zone = useZone()
  const { receipt, receiptUrl, success } = data
  const facts = slipOf(data)
  const names = { merchant: data.payToName, resource: data.resourceName }
  const scanned = receiptUrl ?? transactionUrl(data.network, data.txHash)
  return (
    <div
      className={cx(
        'mx-auto grid w-full max-w-[27rem] grid-cols-1 items-start gap-x-8 gap-y-6 xl:gap-x-14 pt-2 print:block',
        receipt && 'lg:max-w-none lg:grid-cols-[24rem_minmax(0,1fr)] xl:grid-cols-[27rem_minmax(0,1fr)]',
      )}
    >
      <div className="min-w-0">
        <ReceiptSlip facts={facts} names={names} zone={zone}>
          {success && scanned ? (
            <ReceiptCode url={scanned} says={receiptUrl ? 'Scan to check this receipt.' : 'Scan to see the transaction.'} />
          ) : null}
          {receipt ? <PrintedSignature receipt={receipt} issuer={data.facilitator} /> : null}
          {success ? null : <Failed data={data} />}
        </ReceiptSlip>
      </div>
      {receipt ? (
        <div className="print:hidden">
          <Proofs receipt={receipt} issuer={data.facilitator} facts={facts} />
        </div>
      ) : null}
    </div>
  )
}

function Failed({ data }: { data: Details }) {
  return (
    <div className="grid justify-items-start gap-3 text-md">
      <p>
        {data.reasonTitle ?? 'This payment failed'}. <span className="text-soft">No money moved, so there is no receipt.</span>
      </p>
      <Link href={`${listOf(data)}&id=${data.id}`} className={cx(buttonClass({ size: 'small' }), 'print:hidden')}>
        View what happened
      </Link>
    </div>
  )
}

function slipOf(data: Details): SlipFacts {
  return {
    amount: data.amount,
    maximum: data.maximum,
    symbol: data.asset,
    decimals: data.decimals,
    asset: data.assetAddress,
    network: data.network,
    payer: data.payer,
    payTo: data.payTo,
    resource: data.resource,
    transaction: data.txHash,
    block: data.block,
    logIndex: data.logIndex,
    state: stateOf(data),
    at: data.createdAt,
    settlementId: data.settlementId,
  }
}

function stateOf({ state, success, finality }: Details): SlipFacts['state'] {
  if (state === 'REVERSED') return 'reversed'
  if (state === 'UNCHARGED') return 'uncharged'
  // Rows of earlier versions have no settlement.
  return success ? (finality ?? 'safe') : 'failed'
}

// The list of the environment that has this payment.
const listOf = ({ network }: Details) => `/payments?environment=${isTest(network) ? 'testnet' : 'mainnet'}`

const isTest = (network: string) => pastEnvironmentOf(network) === 'testnet'

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
    ...(details.maximum === null ? {} : { maximum_atomic: details.maximum }),
    asset: details.assetAddress,
    network: details.network,
    status: details.state,
    transaction: details.txHash,
    block: details.block,
    log_index: details.logIndex,
    signed_receipt: details.receipt,
    receipt_url: details.receiptUrl,
    explorer_url: transactionUrl(details.network, details.txHash) ?? null,
    facilitator: details.facilitator,
    payer: details.payer,
    pay_to: details.payTo,
    resource: details.resource,
  }
}
