import type { FigureName } from '../../client/analytics/figure'
import type { Change } from '../../ui/figures'

/** The figures of a merchant's first weeks. */
export const SAMPLES: Record<FigureName, { value: string; change?: NonNullable<Change>; note?: string }> = {
  volume: { value: '$24.31', change: { by: 0.182, unit: 'percent', good: 'up' } },
  settlements: { value: '1,118', note: '64 failed' },
  rate: { value: '99.8%', change: { by: 0.004, unit: 'points', good: 'up' } },
  payers: { value: '42', change: { by: 0.05, unit: 'percent', good: 'up' } },
  time: { value: '1.2 s', note: 'p95 2.4 s' },
}

// Their sum is that of the sample.
export const VOLUMES = [1.26, 1.39, 1.54, 1.44, 1.74, 2, 1.61, 1.5, 1.81, 1.7, 1.96, 2.11, 2.2, 2.05]
