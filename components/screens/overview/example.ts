import type { FigureName } from '../../client/analytics/figure'

/** The figures of a merchant's first weeks. */
export const SAMPLES: Record<FigureName, { value: string; note: string }> = {
  settlements: { value: '1,118', note: '64 failed' },
  volume: { value: '$24.31 USDC', note: '+18.2%' },
  rate: { value: '94.5%', note: '+0.4 pts' },
  payers: { value: '42', note: '+5%' },
  time: { value: '1.2 s', note: 'p95 2.4 s' },
}

// Their sums are those of the samples.
export const SETTLED = [58, 64, 71, 66, 80, 92, 74, 69, 83, 78, 90, 97, 101, 95]
export const FAILED = [3, 5, 4, 2, 6, 7, 3, 4, 5, 4, 6, 5, 6, 4]
