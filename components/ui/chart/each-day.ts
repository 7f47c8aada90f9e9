import { DAY_MS } from '@/server/base/durations'
import type { SparkDay } from './sparkline-drawing'

/** The last days in UTC with today, oldest first: sums of the known ones, and zeros, so that bars keep their place. */
export function eachDay(known: readonly SparkDay[], count: number, now = Date.now()): SparkDay[] {
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(now - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10)
    const same = known.filter((one) => one.day === day)
    const sum = (of: 'count' | 'failed') => same.reduce((total, one) => total + one[of], 0)
    return { day, count: sum('count'), failed: sum('failed') }
  })
}
