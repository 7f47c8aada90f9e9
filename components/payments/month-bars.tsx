import { Chart } from '../charts/chart'
import { amounts, drawn } from '../charts/scales'
import type { Series } from '../charts/series'
import { usdc } from '../ui/figures'
import { countOf, formatMonth, type Month, nameOf } from './month'

const SERIES: Series[] = [{ key: 'amount', name: 'Spending (USDC)', color: 'var(--accent)', form: 'bar' }]

/** A bar for each month, up to the newest, which is not over. */
export function MonthBars({ months }: { months: readonly Month[] }) {
  const points = months.map(({ month, amount, payments }) => ({
    ...{
      key: month,
      tick: formatMonth(month, { month: 'short' }),
      title: nameOf(month),
      partial: month === months.at(-1)?.month,
    },
    values: { amount: drawn(BigInt(amount)) },
    shown: { amount: `${usdc(amount)} USDC, ${countOf(payments)}` },
  }))
  return <Chart what="Spending per month (USDC)" series={SERIES} points={points} scale={amounts} />
}
