import { Chart } from '../../ui/chart/chart'
import { amounts, drawn } from '../../ui/chart/scales'
import type { Series } from '../../ui/chart/series'
import { cx } from '../../ui/class-names'
import { moneyText } from '../../ui/figures'
import { countOf, formatMonth, nameOf, type Spent, shownMonths } from './month'

/** So few bars would stand far apart in the whole width. */
const FEW = 4

/** A bar for each month from the first with payments, up to the newest, which is not over. */
export function MonthBars({ spent: { months, ...token } }: { spent: Spent }) {
  const name = `Spending (${token.symbol})`
  const series: Series[] = [{ key: 'amount', name, color: 'var(--accent)', form: 'bar' }]
  const newest = months.at(-1)?.month
  const points = shownMonths(months).map(({ month, amount, payments }) => {
    const short = formatMonth(month, { month: 'short' })
    return {
      key: month,
      tick: month === newest ? `${short}, so far` : short,
      title: nameOf(month),
      partial: month === newest,
      values: { amount: drawn(BigInt(amount), token.decimals) },
      shown: { amount: `${moneyText(amount, token)}, ${countOf(payments)}` },
    }
  })
  return (
    <div className={cx(points.length <= FEW && 'max-w-120')}>
      <Chart what={`Spending per month (${token.symbol})`} series={series} points={points} scale={amounts} bare plot="h-36" />
    </div>
  )
}
