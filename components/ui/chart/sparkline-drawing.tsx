import { Bar, BarChart, YAxis } from 'recharts'

/** A day with its settlements, of which some failed. */
export type SparkDay = { day: string; count: number; failed: number }

type Props = { days: SparkDay[]; most: number; width: number; height: number }

/** Bars with failures on top of successes. */
export function SparklineDrawing({ days, most, width, height }: Props) {
  const bars = days.map(({ day, count, failed }) => ({ day, good: count - failed, failed }))
  return (
    <span aria-hidden>
      <BarChart width={width} height={height} data={bars} margin={MARGIN} barCategoryGap={1} accessibilityLayer={false}>
        <YAxis hide domain={[0, most]} />
        <Bar dataKey="good" stackId="day" fill="var(--accent)" isAnimationActive={false} />
        <Bar dataKey="failed" stackId="day" fill="var(--bad)" isAnimationActive={false} />
      </BarChart>
    </span>
  )
}

const MARGIN = { top: 1, right: 0, bottom: 0, left: 0 }
