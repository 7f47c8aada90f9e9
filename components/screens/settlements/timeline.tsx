'use client'

import { hasFailed, hasSettled, mayChange, stateTitle } from '../../client/settlement-states'
import { useZone } from '../../client/zone'
import { clockTime, exactDate } from '../../ui/dates'
import { duration } from '../../ui/figures'
import { type TimelineStep, TimelineSteps } from '../../ui/timeline'

type Step = { to: string; at: string }

/** The end of a payment and its time. A payment that was refused before it was claimed was only judged. */
export type End = Step & { judgedOnly: boolean }

type Props = {
  steps: readonly Step[]
  /** For settlements without recorded steps. */
  end: End
  /** How long it took from the first step to the outcome, if known. */
  settleMs: number | null
}

/** The steps of a settlement, how long each took, and how long it took to settle. */
export function Timeline({ steps, end, settleMs }: Props) {
  const zone = useZone()
  const shown: readonly Step[] = steps.length > 0 ? steps : stepsOf(end, settleMs)
  // The header already has a single end and its time.
  if (shown.length === 1 && !shown.some(({ to }) => mayChange(to) || to === JUDGED)) return null
  const last = shown.at(-1)
  return (
    <section aria-label="Timeline" className="grid gap-3">
      <header className="flex items-baseline justify-between gap-3">
        <h3 className="font-medium">Timeline</h3>
        <span className="text-sm tabular-nums">{tookOf(shown)}</span>
      </header>
      <TimelineSteps
        steps={shown.map((step, index) => {
          const took = between(shown[index - 1], step)
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

// Of a judgement only its end is kept, so all of it is one step.
const JUDGED = 'JUDGED'

function stepsOf({ judgedOnly, ...end }: End, settleMs: number | null): Step[] {
  if (judgedOnly) return [{ to: JUDGED, at: end.at }]
  if (settleMs === null) return [end]
  return [{ to: 'RECEIVED', at: new Date(Date.parse(end.at) - settleMs).toISOString() }, end]
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
