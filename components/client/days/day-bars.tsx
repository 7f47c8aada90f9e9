'use client'

import { type PointerEvent, useState } from 'react'
import { BARS, type Bar, barsOf } from './bars'

const HEIGHT = 28
/** Where a bar begins: a bad day stands out by its height too. */
const TOPS = { none: 6, good: 6, warn: 6, bad: 0 } as const satisfies Record<Bar['tone'], number>
const COLORS = {
  none: 'fill-line',
  good: 'fill-accent',
  warn: 'fill-day-warn',
  bad: 'fill-day-bad',
} as const satisfies Record<Bar['tone'], string>
const TONES = ['none', 'good', 'warn', 'bad'] as const

type Props = Parameters<typeof barsOf>[0] & {
  /** What the bars are of, for those who do not see them. */
  label: string
  /** The share of all days in words; null with too few payments. */
  share: string | null
}

/** A bar for each day. The text below them describes the day under the pointer, else all days. */
export function DayBars({ label, share, ...shown }: Props) {
  const [at, setAt] = useState<number | null>(null)
  const bars = barsOf(shown)
  const bar = at === null ? undefined : bars[at]
  function point({ clientX, currentTarget }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect()
    setAt(Math.min(BARS - 1, Math.max(0, Math.floor(((clientX - left) / width) * BARS))))
  }
  return (
    <div className="grid gap-1">
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${BARS} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-7 w-full touch-pan-y"
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setAt(null)}
      >
        {TONES.map((tone) => (
          <path key={tone} className={COLORS[tone]} d={pathOf(bars, tone)} />
        ))}
        {at === null ? null : <path className="fill-ink" d={`M${at + 0.12} ${HEIGHT - 2}h0.76v2h-0.76z`} />}
      </svg>
      <p className="flex min-h-5 justify-between gap-2 text-[0.8rem] leading-5 text-soft tabular-nums">
        {bar ? (
          <span className="truncate text-ink">{bar.text}</span>
        ) : (
          <>
            <span>{BARS} days ago</span>
            {share === null ? null : (
              <span className="text-ink">
                {share} <span className="phone:hidden">of valid payments </span>settled
              </span>
            )}
            <span>Today</span>
          </>
        )}
      </p>
    </div>
  )
}

const pathOf = (bars: readonly Bar[], tone: Bar['tone']): string =>
  bars.flatMap((bar, x) => (bar.tone === tone ? [`M${x + 0.12} ${TOPS[tone]}h0.76V${HEIGHT}h-0.76z`] : [])).join('')
