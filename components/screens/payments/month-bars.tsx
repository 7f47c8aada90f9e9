import { Chart } from '../../ui/chart/chart'
import { amounts, drawn } from '../../ui/chart/scales'
import type { Series } from '../../ui/chart/series'
import { moneyText } from '../../ui/figures'
import { countOf, formatMonth, nameOf, type Spent } from './month'

/** A bar for each month, up to the newest, which is not over. */
export function MonthBars({ spent: { months, ...token } }: { spent: Spent }) {
  const name = `Spending (${token.symbol})`
  const series: Series[] = [{ key: 'amount', name, color: 'var(--accent)', form: 'bar' }]
  const points = months.map(({ month, amount, payments }) => ({
    key: month,
    tick: formatMonth(month, { month: 'short' }),
    title: nameOf(month),
    partial: month === months.at(-1)?.month,
    values: { amount: drawn(BigInt(amount), token.decimals) },
    shown: { amount: `${moneyText(amount, token)}, ${countOf(payments)}` },
  }))
  return <Chart what={`Spending per month (${token.symbol})`} series={series} points={points} scale={amounts} />
}
