'use client'

import { later } from '../ui/later'
import type { SparkDay } from './sparkline-drawing'

// Pixels, and the same as classes.
const SIZES = {
  small: { width: 112, height: 28, box: 'h-7 w-28' },
  wide: { width: 240, height: 48, box: 'h-12 w-60' },
} as const

const Drawing = later(() => import('./sparkline-drawing').then((loaded) => loaded.SparklineDrawing))

type Props = { days: SparkDay[]; what: string; size?: keyof typeof SIZES }

/** Small bars of the last days, with the same figures in words. `days` holds every day, oldest first. */
export function Sparkline({ days, what, size = 'small' }: Props) {
  const { width, height, box } = SIZES[size]
  const total = days.reduce((sum, { count }) => sum + count, 0)
  return (
    <span
      className={`inline-block ${box} border-0 border-b border-solid border-line`}
      title={`${total.toLocaleString('en')} ${what}`}
    >
      <span className="sr-only">{`${total.toLocaleString('en')} ${what}`}</span>
      <Drawing days={days} width={width} height={height} />
    </span>
  )
}
