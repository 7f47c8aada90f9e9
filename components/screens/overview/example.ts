import type { FigureName } from '../../client/analytics/figure'

/** The figures of a merchant's first weeks. */
export const SAMPLES: Record<FigureName, { value: string; note: string }> = {
  volume: { value: '$24.31 USDC', note: '+18.2%' },
  settlements: { value: '1,118', note: '64 failed' },
  rate: { value: '99.8%', note: 'of valid payments' },
  payers: { value: '42', note: '+5%' },
  time: { value: '1.2 s', note: 'p95 2.4 s' },
}

// Their sum is that of the sample.
export const VOLUMES = [1.26, 1.39, 1.54, 1.44, 1.74, 2, 1.61, 1.5, 1.81, 1.7, 1.96, 2.11, 2.2, 2.05]
