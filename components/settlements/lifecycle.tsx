'use client'

import { useZone } from '../data/zone'
import { clockTime, exactDate } from '../ui/dates'
import { stateTitle } from './states'

type Step = { to: string; at: string }

/** The states of a settlement and how long each took. */
export function Lifecycle({ steps }: { steps: Step[] }) {
  const zone = useZone()
  return (
    <section aria-label="Lifecycle" className="grid gap-2">
      <h3 className="m-0 font-medium">Lifecycle</h3>
      <ol className="grid">
        {steps.map(({ to, at }, index) => (
          <li key={`${to} ${at}`} className="grid grid-cols-[1rem_minmax(0,1fr)_auto] items-baseline gap-x-3 pb-3 last:pb-0">
            <span aria-hidden className="relative grid h-full justify-items-center">
              <span className="mt-1.5 size-2 rounded-full bg-accent" />
              {index < steps.length - 1 ? <span className="absolute top-4 -bottom-2 w-px bg-line" /> : null}
            </span>
            <span>{stateTitle(to)}</span>
            <time dateTime={at} title={exactDate(new Date(at), zone)} className="text-[0.8125rem] text-soft tabular-nums">
              {took(steps[index - 1], at) ?? clockTime(new Date(at), zone)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  )
}

function took(before: Step | undefined, at: string): string | null {
  if (!before) return null
  const milliseconds = Date.parse(at) - Date.parse(before.at)
  return milliseconds < 10_000
    ? `+${milliseconds.toLocaleString('en')} ms`
    : `+${(milliseconds / 1_000).toLocaleString('en', { maximumFractionDigits: 1 })} s`
}
