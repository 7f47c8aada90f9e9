import type { Change } from '../../ui/figures'
import { type FigureName, type Figures, rateOf } from './figure'

type Payers = { payers: number; before: number }

/**
 * Whether a period can be compared with the one before: `none` had no payment, `little` had its first one in its last quarter, so nearly all is
 * new. Figures that load are expected to be compared.
 */
export function comparisonOf(data: Pick<Figures, 'previous'> | undefined): 'full' | 'little' | 'none' {
  if (!data) return 'full'
  const first = data.previous.findIndex(({ settled, failed }) => settled + failed > 0)
  if (first < 0) return 'none'
  return (data.previous.length - first) * QUARTERS < data.previous.length ? 'little' : 'full'
}

const QUARTERS = 4

/** How the figures of a period differ from those of the period before; undefined while unknown or not compared. */
export function changesOf(data: Figures | undefined, lists: Payers | undefined): Record<FigureName, Change | undefined> {
  if (comparisonOf(data) !== 'full' || !data) {
    return { settlements: undefined, volume: undefined, rate: undefined, payers: undefined, time: undefined }
  }
  const { total, before } = data
  const [rate, past] = [rateOf(total), rateOf(before)]
  return {
    settlements: before.settled === 0 ? null : { by: relative(total.settled, before.settled), unit: 'percent', good: 'up' },
    volume: changedVolume(BigInt(total.volume), BigInt(before.volume)),
    // Shares differ in points: a change in percent of percent misleads.
    rate: rate === null || past === null ? null : { by: rate - past, unit: 'points', good: 'up' },
    payers: lists && (lists.before === 0 ? null : { by: relative(lists.payers, lists.before), unit: 'percent', good: 'up' }),
    time: total.p50 && before.p50 ? { by: certain(relative(total.p50, before.p50)), unit: 'percent', good: 'down' } : null,
  }
}

// Percentiles are within a tenth of the true time: less is no change.
const certain = (by: number) => (Math.abs(by) < 0.1 ? 0 : by)

const relative = (now: number, then: number) => now / then - 1

/** How a volume in atomic units differs from an earlier one; null without an earlier one. */
export function changedVolume(now: bigint, then: bigint): Change {
  if (then === 0n) return null
  // In bigint: atomic amounts exceed safe integers.
  return { by: Number((now * 10_000n) / then - 10_000n) / 10_000, unit: 'percent', good: 'up' }
}
