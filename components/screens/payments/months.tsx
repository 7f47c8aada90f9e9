'use client'

import { useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { heightsOf } from '@/server/base/heights'
import type { Root } from '@/server/trpc/router'
import type { Token } from '@/server/x402/networks/assets'
import { payerChannelsQuery } from '../../client/channels/queries'
import { Problem } from '../../client/problem'
import { monthsQuery } from '../../client/queries'
import { useTRPC } from '../../client/trpc'
import { useEnvironment } from '../../client/use-environment'
import { Course } from '../../ui/chart/course'
import { dayText } from '../../ui/dates'
import { placesOf, restOf, sumText, UNIT } from '../../ui/figures'
import { countedText } from '../../ui/list-summary'
import { nameOf, type Spent, shownMonths } from './month'
import { MonthBars } from './month-bars'
import { Bars, FIRST, Loading, Spending, Tile, type TileProps } from './spending-parts'
import { spentThrough } from './spent-through'

type PaidChannels = inferRouterOutputs<Root>['wallet']['channels']

/** The spending of a wallet per month, for each token that was paid. */
export function SpendingByMonth() {
  const trpc = useTRPC()
  const query = useQuery(monthsQuery(trpc))
  const selected = useEnvironment()
  const environment = selected.environment ?? 'mainnet'
  // The first page of the list below.
  const paid = useQuery({ ...payerChannelsQuery(trpc, { environment }), enabled: selected.environment !== undefined })
  if (query.error) return <Problem error={query.error} retry={query.refetch} />
  const spending = query.data?.[environment]
  if (!spending) return <Loading />
  return spending.map((spent) => <Months key={spent.symbol} spent={spent} paid={paid.data} />)
}

/** The spending of this month and of more, or with that through channels, and a bar for each month, or for each day of the only month. Absent without any payment. */
function Months({ spent, paid }: { spent: Spent; paid: PaidChannels | undefined }) {
  const { months, days } = spent
  const used = months.filter(({ payments }) => payments > 0)
  const newest = months.at(-1)
  if (used.length === 0 || !newest) return null
  // These sums leave channels out.
  const outside = (count: number) =>
    `${countedText(count, 'payment')}${paid && paid.channels.length > 0 ? ' outside channels' : ''}`
  // The same figure does not stand there again under another name.
  const inOne = used.length === 1 && newest.payments > 0
  // The shortest time that has all channels too.
  const spans = [...(inOne ? [[newest]] : []), shownMonths(months), months]
  const throughIn = ([first]: Spent['months']) => spentThrough(paid, spent, first?.month ?? '')
  const span = spans.find(throughIn) ?? shownMonths(months)
  const through = throughIn(span)
  const [first = newest] = span
  const since = nameOf(first.month)
  const time = first === newest ? 'This month' : `Last ${span.length} months`
  const amount = used.reduce((sum, month) => sum + BigInt(month.amount), 0n)
  const payments = used.reduce((sum, month) => sum + month.payments, 0)
  const total = amount + (through?.amount ?? 0n)
  // Parts have the decimals of their sum; from one token on it is rounded.
  const { decimals } = spent
  const isExact = total < 10n ** BigInt(decimals)
  const places = isExact ? placesOf([amount, total].map((one) => ({ atomic: String(one), decimals }))) : 0
  const sum = { token: spent, places }
  // One bar alone is no course.
  const byDay = used.length === 1 && days.filter((day) => day.payments > 0).length > 1
  return (
    <Spending
      course={
        used.length > 1 ? (
          <Bars name={`By month (${spent.symbol})`}>
            <MonthBars spent={spent} />
          </Bars>
        ) : byDay ? (
          <Bars name="Last 30 days">
            <DayBars days={days} />
          </Bars>
        ) : null
      }
    >
      {through ? (
        <>
          <Sum {...sum} name="Spent" atomic={total} note={first === newest ? since : `Since ${since}`} size={FIRST} />
          <Sum {...sum} name="Single payments" atomic={amount} note={countedText(payments, 'payment')} />
          <Sum {...sum} name="Through channels" atomic={through.amount} note={countedText(through.channels, 'channel')} />
        </>
      ) : (
        <>
          <Sum token={spent} name="This month" atomic={BigInt(newest.amount)} note={outside(newest.payments)} size={FIRST} />
          {/* The bars show as many, and no other has a payment. */}
          {inOne ? null : <Sum token={spent} name={time} atomic={amount} note={outside(payments)} />}
        </>
      )}
    </Spending>
  )
}

function DayBars({ days }: Pick<Spent, 'days'>) {
  return (
    <div>
      <Course heights={heightsOf(days.map(({ amount }) => BigInt(amount)))} wide />
      <p className="mt-0.5 flex justify-between text-xs text-soft">
        <span>{dayText(days[0]?.day ?? '')}</span>
        <span>Today (UTC)</span>
      </p>
    </div>
  )
}

type SumProps = Omit<TileProps, 'children'> & { token: Token; atomic: bigint; places?: number }

function Sum({ token: { symbol, decimals }, atomic, places = 0, ...tile }: SumProps) {
  return (
    <Tile {...tile}>
      {sumText(String(atomic), decimals)}
      {restOf({ atomic: String(atomic), decimals }, places)} <span className={UNIT}>{symbol}</span>
    </Tile>
  )
}
