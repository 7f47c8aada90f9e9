'use client'

import { useId, useState } from 'react'

export type Bar = { label: string; good: number; bad: number; note: string }

const HEIGHT = 160
const GAP = 0.25

/** A bar for each day, failures on top of successes, with the same figures as a table for screen readers. */
export function Bars({ bars, what }: { bars: Bar[]; what: string }) {
  const [at, setAt] = useState<number | null>(null)
  const most = Math.max(1, ...bars.map(({ good, bad }) => good + bad))
  const id = useId()
  const shown = at === null ? null : bars[at]
  const y = (value: number) => (value / most) * HEIGHT
  return (
    <figure className="grid gap-2">
      <p className="m-0 min-h-5 text-[0.8125rem] text-soft" aria-hidden>
        {shown ? `${shown.label}: ${shown.note}` : `Peak: ${most.toLocaleString('en')}/day`}
      </p>
      <svg
        viewBox={`0 0 ${bars.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-40 w-full"
        aria-hidden
        onPointerLeave={() => setAt(null)}
      >
        <line x1="0" x2={bars.length} y1={HEIGHT} y2={HEIGHT} stroke="var(--line)" vectorEffect="non-scaling-stroke" />
        {bars.map(({ label, good, bad }, index) => (
          <g key={label} onPointerEnter={() => setAt(index)} opacity={at === null || at === index ? 1 : 0.45}>
            <rect x={index} y="0" width="1" height={HEIGHT} fill="transparent" />
            <rect x={index + GAP / 2} width={1 - GAP} y={HEIGHT - y(good)} height={y(good)} fill="var(--accent)" />
            <rect x={index + GAP / 2} width={1 - GAP} y={HEIGHT - y(good + bad)} height={y(bad)} fill="var(--bad)" />
          </g>
        ))}
      </svg>
      <figcaption className="flex justify-between text-xs text-soft">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </figcaption>
      <table className="sr-only" aria-labelledby={id}>
        <caption id={id}>{what}</caption>
        <tbody>
          {bars.map(({ label, note }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{note}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
