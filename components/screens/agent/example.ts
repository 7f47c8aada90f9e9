import { DAY_MS } from '@/server/base/durations'
import type { CreditHistory } from './burn-down'

// So many a day, oldest first.
const USED = [
  22, 31, 28, 35, 30, 24, 26, 38, 41, 36, 33, 29, 27, 34, 39, 42, 37, 31, 28, 36, 40, 44, 35, 30, 33, 38, 41, 36, 32, 12,
]

/** A month of an agent's credits, with a purchase in it. */
export function exampleHistory(now: number): CreditHistory {
  const dayAt = (at: number) => new Date(now - (USED.length - 1 - at) * DAY_MS).toISOString()
  return {
    left: 214,
    firstAt: new Date(now - 60 * DAY_MS).toISOString(),
    isPartial: false,
    days: USED.map((used, at) => ({ day: dayAt(at).slice(0, 10), used, settled: used, failed: 0 })),
    purchases: [{ at: dayAt(14), credits: 600 }],
  }
}
