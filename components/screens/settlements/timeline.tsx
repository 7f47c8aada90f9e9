'use client'

import { hasFailed, hasSettled, mayChange, stateTitle } from '../../client/settlement-states'
import { useZone } from '../../client/zone'
import { clockTime, exactDate } from '../../ui/dates'
import { duration } from '../../ui/figures'
import { type TimelineStep, TimelineSteps } from '../../ui/timeline'

/** A state and when it began. */
export type Step = { to: string; at: string }

type Props = { steps: readonly Step[] }

/** The steps of a settlement, how long each took, and how long it took to settle. Without recorded steps it is empty. */
export function Timeline({ steps }: Props) {
  const zone = useZone()
  const [only] = steps
  // The header already has a single end and its time.
  if (!only || (steps.length < 2 && !mayChange(only.to))) return null
  const last = steps.at(-1)
  return (
    <section aria-label="Timeline" className="grid gap-3">
      <header className="flex items-baseline justify-between gap-3">
        <h3 className="font-medium">Timeline</h3>
        <span className="text-sm tabular-nums">{tookOf(steps)}</span>
      </header>
      <TimelineSteps
        steps={steps.map((step, index) => {
          // The sum says it of fewer steps.
          const took = steps.length > 3 ? between(steps[index - 1], step) : null
          return {
            key: `${step.to} ${step.at}`,
            tone: toneOf(step.to, step === last),
            text: (
              <>
                {stateTitle(step.to)}
                {took ? <span className="text-sm text-soft tabular-nums"> · +{took}</span> : null}
              </>
            ),
            time: (
              <time dateTime={step.at} title={exactDate(new Date(step.at), zone)}>
                {clockTime(new Date(step.at), zone)}
              </time>
            ),
          }
        })}
      />
    </section>
  )
}

/** The steps that a payer asks about: received, settled and the last one. */
export function forPayer(steps: readonly Step[]): readonly Step[] {
  const settled = steps.find(({ to }) => hasSettled(to))
  return steps.flatMap((step, index) => {
    if (index === steps.length - 1) return [step]
    return index === 0 ? [{ ...step, to: 'RECEIVED' }] : step === settled ? [{ ...step, to: 'SETTLED' }] : []
  })
}

/** The steps of a payment that recorded none: when it came and how it ended; none, if only its end is known. */
export function stepsTo({ to, at }: Step, settleMs: number | null): readonly Step[] {
  if (settleMs === null) return []
  return [
    { to: 'RECEIVED', at: new Date(Date.parse(at) - settleMs).toISOString() },
    { to, at },
  ]
}

function tookOf(steps: readonly Step[]): string | null {
  const [first, last] = [steps[0], steps.at(-1)]
  // A single step took no time that is known.
  if (!last || first === last) return null
  const whole = between(first, last)
  if (whole && hasFailed(last.to)) return `Failed after ${whole}`
  const settled = steps.find(({ to }) => hasSettled(to))
  const took = settled && between(first, settled)
  if (!took) return null
  return last.to === 'FINAL' && last !== settled ? `Settled in ${took}, final after ${whole}` : `Settled in ${took}`
}

// The last step of an open settlement is not its end.
function toneOf(state: string, isLast: boolean): TimelineStep['tone'] {
  if (hasFailed(state)) return 'bad'
  return isLast && mayChange(state) ? 'waiting' : 'good'
}

/** How long it was from one step to another; null without the first. */
function between(one: Step | undefined, other: Step): string | null {
  if (!one) return null
  return duration(Date.parse(other.at) - Date.parse(one.at))
}
