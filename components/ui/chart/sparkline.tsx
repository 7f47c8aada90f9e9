'use client'

import { later } from '../later'
import type { SparkDay } from './sparkline-drawing'

// Pixels, and the same as classes.
const SIZE = { width: 112, height: 28 } as const
const BOX = 'h-7 w-28'

const Drawing = later(() => import('./sparkline-drawing').then((loaded) => loaded.SparklineDrawing))

type Props = { days: SparkDay[]; most: number; what: string }

/** Small bars of the last days, with the same figures in words. `days` holds every day, oldest first; a bar of `most` is as high as the drawing. */
export function Sparkline({ days, most, what }: Props) {
  const total = days.reduce((sum, { count }) => sum + count, 0)
  return (
    <span className={`inline-block ${BOX} border-b`} title={`${total.toLocaleString('en')} ${what}`}>
      <span className="sr-only">{`${total.toLocaleString('en')} ${what}`}</span>
      <Drawing days={days} most={most} {...SIZE} />
    </span>
  )
}
