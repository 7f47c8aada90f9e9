import type { XAxisTickContentProps } from 'recharts'
import type { Point } from './series'

/** The look of the labels of an axis. */
export const AXIS = { fill: 'var(--soft)', fontSize: 12 } as const

/** From this half of a band on, the last label fits under its bar. */
const HALF_LABEL = 22

/** A label of the X axis. The last one ends with the plot where its bar is narrower. */
export function Tick({ x, y, payload, className, points }: XAxisTickContentProps & { points: readonly Point[] }) {
  const half = payload.offset ?? 0
  const ends = payload.value === points.at(-1)?.key && half < HALF_LABEL
  return (
    <text
      x={ends ? payload.coordinate + half : x}
      y={y}
      dy="0.71em"
      textAnchor={ends ? 'end' : 'middle'}
      className={className}
      {...AXIS}
    >
      {points.find(({ key }) => key === payload.value)?.tick}
    </text>
  )
}
