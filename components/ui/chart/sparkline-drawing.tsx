import { Bar, BarChart, YAxis } from 'recharts'

/** A day with its settlements, of which some failed. */
export type SparkDay = { day: string; count: number; failed: number }

type Props = { days: SparkDay[]; most: number; width: number; height: number }

/** Bars with failures on top of successes. The last day is not over, so its bar is faint. */
export function SparklineDrawing({ days, most, width, height }: Props) {
  const bars = days.map(({ day, count, failed }, at) => {
    return { day, good: count - failed, failed, fillOpacity: at === days.length - 1 ? 0.5 : 1 }
  })
  // A few failures still show. The value of a stacked bar is its top.
  const leastOf = (_: unknown, at: number) => (days[at]?.failed ? 2 : 0)
  return (
    <span aria-hidden>
      <BarChart width={width} height={height} data={bars} margin={MARGIN} barCategoryGap={1} accessibilityLayer={false}>
        <YAxis hide domain={[0, most]} />
        <Bar dataKey="good" stackId="day" fill="var(--accent)" isAnimationActive={false} />
        <Bar dataKey="failed" stackId="day" fill="var(--bad)" minPointSize={leastOf} isAnimationActive={false} />
      </BarChart>
    </span>
  )
}

const MARGIN = { top: 1, right: 0, bottom: 0, left: 0 }
