'use client'

import type { inferRouterOutputs } from '@trpc/server'
import type { ReactNode } from 'react'
import type { Root } from '@/server/trpc/router'
import { networkTitle } from '@/server/x402/networks/networks'
import { DepositBar } from '../../client/channels/deposit-bar'
import { requestsText } from '../../client/channels/state'
import { Problem } from '../../client/problem'
import { Swatch } from '../../ui/chart/series'
import { cx } from '../../ui/class-names'
import { moneyText } from '../../ui/figures'
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
  if (!sums) return <Skeleton className="mb-4 h-53 sm:h-34" />
  return (
    <ul aria-label="Sums" className="mb-4 grid gap-4 empty:hidden">
      {sums.sums.map((sum) => {
        const { network, token, asset, channels, balance, charged, claimed, atRisk } = sum
        const use = sums.usage.find((one) => one.network === network && one.token === token)
        const left = BigInt(balance) > BigInt(charged) ? String(BigInt(balance) - BigInt(charged)) : '0'
        if (balance === claimed && atRisk === '0') {
          return (
            <li key={`${network} ${token}`} className="panel p-4">
              <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4">
                <Amount name="Charged and claimed" note={use?.charged === claimed ? 'Last 30 days' : 'In all'} large>
                  {moneyText(claimed, asset)}
                </Amount>
                <Amount name="Not yet claimed" note="No deposit left" large>
                  {moneyText(atRisk, asset)}
                </Amount>
                <Amount name="Channels" note={`On ${networkTitle(network)}`} large>
                  {channels.toLocaleString('en')}
                </Amount>
                {use ? (
                  <Amount
                    name="Requests"
                    note={use.charged === claimed ? 'Last 30 days' : `${moneyText(use.charged, use.asset)}, last 30 days`}
                    large
                  >
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
              <span className="font-semibold text-ink">
                {countedText(channels, 'channel')} on {networkTitle(network)}
              </span>
              {use ? (
                <span
                  title="Claims settle what vouchers were charged: it is the same money."
                  className="max-sm:order-last max-sm:basis-full sm:mr-auto"
                >
                  {use.charged === claimed
                    ? `${requestsText(use.requests)} in the last 30 days`
                    : `${moneyText(use.charged, use.asset)} charged for ${requestsText(use.requests)} in the last 30 days`}
                </span>
              ) : null}
              {/* Above the end of the bar, which is all of it. */}
              <span className="text-ink">{moneyText(balance, asset)} deposited</span>
            </p>
            <DepositBar balance={balance} claimed={claimed} charged={charged} className="h-2" />
            <dl className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">
              <Amount name="Charged" swatch={<Both />}>
                {moneyText(charged, asset)}
              </Amount>
              <Amount name="Claimed" swatch={<Swatch color="var(--accent)" form="bar" />}>
                {moneyText(claimed, asset)}
              </Amount>
              <Amount name="Not yet claimed" swatch={<Swatch color="var(--warn)" form="bar" />}>
                {moneyText(atRisk, asset)}
              </Amount>
              <Amount name="Left to charge" swatch={<Swatch color="var(--line)" form="bar" />}>
                {moneyText(left, asset)}
              </Amount>
            </dl>
          </li>
        )
      })}
    </ul>
  )
}

/** What is charged is what is claimed and what is not yet. */
function Both() {
  return (
    <span aria-hidden className="flex">
      <Swatch color="var(--accent)" form="bar" />
      <Swatch color="var(--warn)" form="bar" />
    </span>
  )
}

type AmountProps = {
  name: string
  swatch?: ReactNode
  /** Below the figure. */
  note?: string
  large?: boolean
  className?: string
  children: ReactNode
}

function Amount({ name, swatch, note, large = false, className, children }: AmountProps) {
  return (
    <div className={cx('grid min-w-0 content-start gap-0.5', className)}>
      <dt className="flex items-center gap-1.5 text-sm text-soft">
        {swatch}
        {name}
      </dt>
      <dd
        className={cx(
          'font-semibold wrap-anywhere tabular-nums',
          large ? 'text-xl leading-7 tracking-tight' : 'text-lg leading-tight',
        )}
      >
        {children}
      </dd>
      {note ? <dd className="text-sm text-soft tabular-nums">{note}</dd> : null}
    </div>
  )
}
