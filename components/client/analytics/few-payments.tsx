import Link from 'next/link'
import { networkTitle } from '@/server/x402/networks/networks'
import { cx } from '../../ui/class-names'
import { amountText } from '../../ui/figures'
import { keysOf } from '../../ui/list'
import { Skeleton } from '../../ui/panel'
import { SmallSlip, Stamp } from '../../ui/receipt-slip'
import { partsOf } from '../../ui/resource-name'
import { shortened } from '../../ui/shortened'
import { Time } from '../time'
import type { Newest } from './figure'

type Props = {
  /** Undefined while they load. */
  payments: readonly Newest[] | undefined
  /** How many there are. */
  count: number
  hrefOf: (id: string) => string
}

/** The payments of a period with few of them, newest first: each as a small receipt that opens it. A wide screen has room for them all. */
export function FewPayments({ payments, count, hrefOf }: Props) {
  const free = (IN_ROW - (count % IN_ROW)) % IN_ROW
  return (
    <ul
      aria-label="Payments"
      className="-mx-4 flex snap-x auto-rows-[14.75rem] gap-4 overflow-x-auto px-4 pt-1 pb-3 max-xl:h-[16rem] max-xl:pr-10 max-xl:[mask-image:linear-gradient(to_right,black_calc(100%-2.5rem),transparent)] xl:grid xl:grid-cols-5 xl:overflow-x-visible"
    >
      {free > 0 ? (
        <li aria-hidden className={cx(FREE, 'max-xl:mb-1 max-xl:w-20 max-xl:shrink-0')}>
          Next payment
        </li>
      ) : null}
      {payments?.map((payment) => (
        <li key={payment.id} className={SLIP}>
          <Payment payment={payment} href={hrefOf(payment.id)} />
        </li>
      )) ??
        keysOf(count).map((key) => (
          <li key={key} className={SLIP}>
            <Skeleton className="h-full" />
          </li>
        ))}
      {keysOf(Math.max(0, free - 1)).map((key) => (
        <li key={key} aria-hidden className={cx(FREE, 'max-xl:hidden')} />
      ))}
    </ul>
  )
}

const IN_ROW = 5
const FREE = 'grid place-items-center rounded-lg border border-dashed text-center text-sm text-soft'
// The next one shows at the edge, so that one sees that there are more.
const SLIP = 'w-56 md:max-xl:w-52 min-w-0 shrink-0 snap-start scroll-ml-4 xl:w-auto'

function Payment({ payment, href }: { payment: Newest; href: string }) {
  const { at, success, amount, decimals, symbol, network, payer, resource, reasonTitle } = payment
  const { host, path } = partsOf(resource || 'Unnamed resource')
  return (
    <SmallSlip
      head={
        <>
          <span title={resource} className="min-h-5 truncate text-sm text-soft">
            {host}
          </span>
          <Link
            href={href}
            aria-label={`Receipt of ${amountText(amount, decimals)} ${symbol} for ${resource || 'an unnamed resource'}`}
            className="truncate font-medium text-ink no-underline after:absolute after:inset-0 hover:text-accent hover:underline"
          >
            {path}
          </Link>
        </>
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
            {reasonTitle ?? (payer ? <span className="font-mono text-xs">{shortened(payer)}</span> : null)}
          </span>
          <span className="truncate">
            {networkTitle(network)} · <Time at={at} />
          </span>
        </>
      }
    />
  )
}
