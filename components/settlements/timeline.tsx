'use client'

import { useZone } from '../data/zone'
import { cx } from '../ui/class-names'
import { clockTime, exactDate } from '../ui/dates'
import { duration } from '../ui/figures'
import { hasFailed, mayChange, stateTitle } from './states'

type Step = { to: string; at: string }
type Props = { steps: readonly Step[] /** The outcome and its time, for settlements without recorded steps. */; outcome: Step }

/** The steps of a settlement, how long each took, and the sum. */
export function Timeline({ steps, outcome }: Props) {
  const zone = useZone()
  const shown = steps.length > 0 ? steps : [outcome]
  // The header already has a single end and its time.
  if (shown.length === 1 && !shown.some(({ to }) => mayChange(to))) return null
  const [first, last] = [shown[0], shown.at(-1)]
  return (
    <section aria-label="Timeline" className="grid gap-3">
      <header className="flex items-baseline justify-between gap-3">
        <h3 className="m-0 font-medium">Timeline</h3>
        {first && last && first !== last ? (
          <span className="text-[0.8125rem] text-soft tabular-nums">{between(first, last)} in total</span>
        ) : null}
      </header>
      <ol className="grid">
        {shown.map((step, index) => {
          const before = shown[index - 1]
          return (
            <li
              key={`${step.to} ${step.at}`}
              className="grid grid-cols-[0.5rem_minmax(0,1fr)_auto] gap-x-3 pb-3 text-[0.875rem] last:pb-0"
            >
              <span aria-hidden className="relative">
                <span className={cx('absolute top-1.5 size-2 rounded-full', toneOf(step.to, step === last))} />
                {step === last ? null : <span className="absolute top-4.5 -bottom-2 left-[0.21875rem] w-px bg-line" />}
              </span>
              <span>
                {stateTitle(step.to)}
                {before ? <span className="text-[0.8125rem] text-soft tabular-nums"> · +{between(before, step)}</span> : null}
              </span>
              <time
                dateTime={step.at}
                title={exactDate(new Date(step.at), zone)}
                className="text-[0.8125rem] text-soft tabular-nums"
              >
                {clockTime(new Date(step.at), zone)}
              </time>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

// The last step of an open settlement is not its end.
function toneOf(state: string, isLast: boolean): string {
  if (hasFailed(state)) return 'bg-bad'
  return isLast && mayChange(state) ? 'beating bg-warn' : 'bg-accent'
}

const between = (one: Step, other: Step): string => duration(Date.parse(other.at) - Date.parse(one.at))
