'use client'

import { hasFailed, hasSettled, mayChange, stateTitle } from '../../client/settlement-states'
import { useZone } from '../../client/zone'
import { cx } from '../../ui/class-names'
import { clockTime, exactDate } from '../../ui/dates'
import { duration } from '../../ui/figures'

type Step = { to: string; at: string }
type Props = {
  steps: readonly Step[]
  /** The outcome and its time, for settlements without recorded steps. */
  outcome: Step
  /** How long it took from the first step to the outcome, if known. */
  settleMs: number | null
}

/** The steps of a settlement, how long each took, and how long it took to settle. */
export function Timeline({ steps, outcome, settleMs }: Props) {
  const zone = useZone()
  const shown = steps.length > 0 ? steps : stepsOf(outcome, settleMs)
  // The header already has a single end and its time.
  if (shown.length === 1 && !shown.some(({ to }) => mayChange(to))) return null
  const last = shown.at(-1)
  return (
    <section aria-label="Timeline" className="grid gap-3">
      <header className="flex items-baseline justify-between gap-3">
        <h3 className="font-medium">Timeline</h3>
        <span className="text-sm tabular-nums">{tookOf(shown)}</span>
      </header>
      <ol className="grid">
        {shown.map((step, index) => {
          const before = shown[index - 1]
          return (
            <li
              key={`${step.to} ${step.at}`}
              className="grid grid-cols-[0.5rem_minmax(0,1fr)_auto] gap-x-3 pb-3 text-md last:pb-0"
            >
              <span aria-hidden className="relative">
                <span className={cx('absolute top-1.5 size-2 rounded-full', toneOf(step.to, step === last))} />
                {step === last ? null : <span className="absolute top-3.5 -bottom-4.5 left-[0.21875rem] w-px bg-line" />}
              </span>
              <span>
                {stateTitle(step.to)}
                {before ? <span className="text-sm text-soft tabular-nums"> · +{between(before, step)}</span> : null}
              </span>
              <time dateTime={step.at} title={exactDate(new Date(step.at), zone)} className="text-sm text-soft tabular-nums">
                {clockTime(new Date(step.at), zone)}
              </time>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

function stepsOf(outcome: Step, settleMs: number | null): Step[] {
  if (settleMs === null) return [outcome]
  return [{ to: 'RECEIVED', at: new Date(Date.parse(outcome.at) - settleMs).toISOString() }, outcome]
}

function tookOf(steps: readonly Step[]): string | null {
  const [first, last] = [steps[0], steps.at(-1)]
  if (!first || !last) return null
  if (hasFailed(last.to)) return `Failed after ${between(first, last)}`
  const settled = steps.find(({ to }) => hasSettled(to))
  if (!settled) return null
  const took = `Settled in ${between(first, settled)}`
  return last.to === 'FINAL' && last !== settled ? `${took}, final after ${between(first, last)}` : took
}

// The last step of an open settlement is not its end.
function toneOf(state: string, isLast: boolean): string {
  if (hasFailed(state)) return 'bg-bad'
  return isLast && mayChange(state) ? 'beating bg-warn' : 'bg-accent'
}

const between = (one: Step, other: Step): string => duration(Date.parse(other.at) - Date.parse(one.at))
