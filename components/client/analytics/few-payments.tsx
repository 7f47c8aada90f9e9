import Link from 'next/link'
import { networkTitle } from '@/server/x402/networks/networks'
import { cx } from '../../ui/class-names'
import { shortened } from '../../ui/copyable'
import { amountText } from '../../ui/figures'
import { keysOf } from '../../ui/list'
import { Skeleton } from '../../ui/panel'
import { SmallSlip, Stamp } from '../../ui/receipt-slip'
import { ResourceName } from '../../ui/resource-name'
import { Time } from '../time'
import type { Newest } from './figure'

type Props = {
  /** Undefined while they load. */
  payments: readonly Newest[] | undefined
  hrefOf: (id: string) => string
}

/** The payments of a period with few of them, newest first: each as a small receipt that opens it. */
export function FewPayments({ payments, hrefOf }: Props) {
  return (
    <ul aria-label="Payments" className="-mx-4 flex h-[15.5rem] snap-x gap-4 overflow-x-auto px-4 pt-1 pb-4">
      {payments?.map((payment) => (
        <li key={payment.id} className={SLIP}>
          <Payment payment={payment} href={hrefOf(payment.id)} />
        </li>
      )) ??
        keysOf(3).map((key) => (
          <li key={key} className={SLIP}>
            <Skeleton className="h-full" />
          </li>
        ))}
    </ul>
  )
}

const SLIP = 'w-60 shrink-0 snap-start scroll-ml-4'

function Payment({ payment, href }: { payment: Newest; href: string }) {
  const { at, success, amount, decimals, symbol, network, payer, resource, reasonTitle } = payment
  return (
    <SmallSlip
      head={
        <Link
          href={href}
          aria-label={`Receipt of ${amountText(amount, decimals)} ${symbol} for ${resource || 'an unnamed resource'}`}
          className="font-medium text-ink no-underline after:absolute after:inset-0 hover:text-accent hover:underline"
        >
          {resource ? <ResourceName url={resource} /> : 'Unnamed resource'}
        </Link>
      }
      sum={
        <span className="grid gap-2.5">
          <span className="text-2xl leading-none font-semibold tracking-tight wrap-anywhere slashed-zero tabular-nums">
            {amountText(amount, decimals)} <span className="text-sm font-normal tracking-normal text-soft">{symbol}</span>
          </span>
          <span className={cx('flex', success && 'pl-0.5')}>
            <Stamp tone={success ? 'good' : 'bad'}>{success ? 'Settled' : 'Failed'}</Stamp>
          </span>
        </span>
      }
      foot={
        <>
          <span className="truncate">
            {reasonTitle ?? networkTitle(network)}
            {payer ? <span className="font-mono text-xs"> · {shortened(payer)}</span> : null}
          </span>
          <span className="truncate">
            <Time at={at} />
          </span>
        </>
      }
    />
  )
}
