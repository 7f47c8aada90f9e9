'use client'

import dynamic from 'next/dynamic'
import type { SparkDay } from './sparkline-drawing'

// Pixels; the same as `h-7 w-28`.
const WIDTH = 112
const HEIGHT = 28

const Drawing = dynamic(() => import('./sparkline-drawing').then((loaded) => loaded.SparklineDrawing), { ssr: false })

/** Small bars of the last days, with the same figures in words. `days` holds every day, oldest first. */
export function Sparkline({ days, what }: { days: SparkDay[]; what: string }) {
  const total = days.reduce((sum, { count }) => sum + count, 0)
  return (
    <span
      className="inline-block h-7 w-28 border-0 border-b border-solid border-line"
      title={`${total.toLocaleString('en')} ${what}`}
    >
      <span className="sr-only">{`${total.toLocaleString('en')} ${what}`}</span>
      <Drawing days={days} width={WIDTH} height={HEIGHT} />
    </span>
  )
}
