'use client'

import type { inferRouterOutputs } from '@trpc/server'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Root } from '@/server/trpc/router'
import { networkTitle } from '@/server/x402/networks/networks'
import { DepositBar } from '../../client/channels/deposit-bar'
import { averageOf, requestsText } from '../../client/channels/state'
import { Problem } from '../../client/problem'
import { Swatch } from '../../ui/chart/series'
import { cx } from '../../ui/class-names'
import { amountText, Money, moneyText } from '../../ui/figures'
import { countedText } from '../../ui/list-summary'
import { Skeleton } from '../../ui/panel'

type Sums = inferRouterOutputs<Root>['merchant']['channelSums']

/** A panel for each token of a network: where the deposits are. Usage is apart: claims settle what vouchers were charged, so both are the same money. */
export function ChannelSums({
  sums,
  error = null,
  retry = () => {},
}: {
  sums: Sums | undefined
  error?: Parameters<typeof Problem>[0]['error'] | null
  retry?: () => unknown
}) {
  if (error) return <Problem error={error} retry={retry} />
  if (!sums) return <Skeleton className="mb-4 h-50 sm:h-34" />
  return (
    <ul aria-label="Sums" className="mb-4 grid gap-4 empty:hidden">
      {sums.sums.map((sum) => {
        const { network, token, asset, channels, balance, charged, claimed, atRisk } = sum
        const use = sums.usage.find((one) => one.network === network && one.token === token)
        const left = BigInt(balance) > BigInt(charged) ? String(BigInt(balance) - BigInt(charged)) : '0'
        // What was charged in 30 days is then all that ever was.
        const isAll = use?.charged === charged
        const where = `${countedText(channels, 'channel')} on ${networkTitle(network)}`
        if (balance === claimed && atRisk === '0') {
          const average = use && isAll && use.requests !== '0' ? moneyText(averageOf(use.charged, use.requests), asset) : null
          return (
            <li key={`${network} ${token}`} className="panel p-4">
              <dl className="grid grid-cols-2 gap-x-4 gap-y-3 max-sm:*:first:col-span-full sm:flex sm:*:flex-1">
                <Amount name="Claimed, all time" note={where} isFirst>
                  <Money atomic={claimed} token={asset} />
                </Amount>
                <Amount name="Not yet claimed" note={<AllClaimed />}>
                  <Money atomic={atRisk} token={asset} />
                </Amount>
                {use ? (
                  <Amount name="Requests" note={average ? `${average} each` : 'Last 30 days'}>
                    {BigInt(use.requests).toLocaleString('en')}
                  </Amount>
                ) : null}
              </dl>
            </li>
          )
        }
        return (
          <li key={`${network} ${token}`} className="grid gap-3 panel p-4">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm text-soft tabular-nums">
              <span className="font-semibold text-ink">{where}</span>
              {use ? (
                <span
                  title="Claims settle what vouchers were charged: it is the same money."
                  className="max-xl:order-last max-xl:basis-full xl:mr-auto"
                >
                  {isAll
                    ? `${requestsText(use.requests)} in the last 30 days`
                    : `${moneyText(use.charged, use.asset)} charged for ${requestsText(use.requests)} in the last 30 days`}
                </span>
              ) : null}
              {/* Above the end of the bar, which is all of it. */}
              <span className="text-ink">
                {amountText(charged, asset.decimals)} of {moneyText(balance, asset)} charged
              </span>
            </p>
            <DepositBar balance={balance} claimed={claimed} charged={charged} className="h-2" />
            <dl className="grid gap-x-4 gap-y-2 max-sm:*:flex max-sm:*:items-baseline max-sm:*:justify-between sm:grid-cols-3">
              <Amount name="Claimed" swatch={<Swatch color="var(--accent)" form="bar" />} isFirst={atRisk === '0'}>
                <Money atomic={claimed} token={asset} />
              </Amount>
              <Amount name="Not yet claimed" swatch={<Swatch color="var(--warn)" form="bar" />} isFirst={atRisk !== '0'}>
                <Money atomic={atRisk} token={asset} />
              </Amount>
              <Amount name="Left to charge" swatch={<Swatch color="var(--line)" form="bar" />}>
                <Money atomic={left} token={asset} />
              </Amount>
            </dl>
          </li>
        )
      })}
    </ul>
  )
}

function AllClaimed() {
  return (
    <span className="flex items-center gap-1 text-accent">
      <Check aria-hidden className="size-4" /> All claimed
    </span>
  )
}

type AmountProps = {
  name: string
  swatch?: ReactNode
  /** Below the figure. */
  note?: ReactNode
  /** Whether it is the largest. */
  isFirst?: boolean
  children: ReactNode
}

function Amount({ name, swatch, note, isFirst = false, children }: AmountProps) {
  return (
    // The lines of neighbors align at any size of their figures.
    <div className="grid min-w-0 grid-rows-[1fr_auto_auto] gap-0.5">
      <dt className="flex items-center gap-1.5 text-sm sm:self-start text-soft">
        {swatch}
        {name}
      </dt>
      <dd
        className={cx(
          'font-semibold wrap-anywhere tabular-nums',
          isFirst ? 'text-3xl leading-9 tracking-tight' : 'text-lg leading-tight',
        )}
      >
        {children}
      </dd>
      {note ? <dd className="text-sm text-soft tabular-nums">{note}</dd> : null}
    </div>
  )
}
