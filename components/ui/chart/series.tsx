/** What a chart shows: stacked bars and lines, and the past behind them: paler bars or a paler line. `color` is a CSS colour. */
export type Series = { key: string; name: string; color: string; form: 'bar' | 'line' | 'past-bar' | 'past-line' }

/** How much of its colour the past keeps. */
export const PALE = 0.35

/** Whether a series is of the past. */
export const isPast = ({ form }: Series): boolean => form === 'past-bar' || form === 'past-line'

/** A point of time with a number for each series (null: none), and the numbers as text. */
export type Point = {
  key: string
  /** The label below the axis. */
  tick: string
  /** The heading of the tooltip. */
  title: string
  values: Record<string, number | null>
  shown: Record<string, string>
  /** The time is not over: its bar is hatched. */
  partial?: boolean
}

/** How the axis writes its numbers. `whole`: only whole numbers. `parts`: about how many intervals it has. */
export type Scale = { format: (value: number) => string; domain?: readonly [number, number]; whole?: boolean; parts?: number }

export type ChartProps = {
  /** The name of the chart, for screen readers. */
  what: string
  series: readonly Series[]
  points: readonly Point[]
  scale: Scale
  /** A point was clicked, or Enter pressed on it. */
  onOpen?: ((at: number) => void) | undefined
  /** The points from one to another were selected by dragging. */
  onSelect?: ((from: number, to: number) => void) | undefined
}

/** The mark of a series. As a picture, because the policy of pages forbids styles in their HTML. */
export function Swatch({ color, form }: Pick<Series, 'color' | 'form'>) {
  return (
    <svg aria-hidden className="h-2.5 w-3.5" viewBox="0 0 14 10">
      {form === 'bar' || form === 'past-bar' ? (
        <rect x="2" width="10" height="10" rx="2.5" fill={color} fillOpacity={form === 'bar' ? 1 : PALE} />
      ) : (
        <line x2="14" y1="5" y2="5" stroke={color} strokeWidth="2" strokeOpacity={form === 'line' ? 1 : PALE} />
      )}
    </svg>
  )
}
