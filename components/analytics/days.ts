import type { Bar } from '../ui/bars'
import { usdc } from '../ui/figures'

const DAY_MS = 86_400_000

type Days = {
  period: { start_date: string; end_date: string }
  timeseries: { date: string; success_count: number; failed_count: number; total_volume_atomic: string }[]
}

/** A bar for every day of a period, also for those on which nothing happened. */
export function eachDay({ period, timeseries }: Days): Bar[] {
  const known = new Map(timeseries.map((day) => [day.date, day]))
  const bars: Bar[] = []
  for (let at = Date.parse(period.start_date); at < Date.parse(period.end_date); at += DAY_MS) {
    const label = new Date(at).toISOString().slice(0, 10)
    const day = known.get(label)
    const [good, bad] = [day?.success_count ?? 0, day?.failed_count ?? 0]
    const note =
      good + bad === 0
        ? 'nothing'
        : `${good.toLocaleString('en')} settled, ${bad.toLocaleString('en')} failed, ${usdc(day?.total_volume_atomic ?? '0')} USDC`
    bars.push({ label, good, bad, note })
  }
  return bars
}
