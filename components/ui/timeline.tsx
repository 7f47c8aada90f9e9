import type { ReactNode } from 'react'
import { cx } from './class-names'

const TONES = { good: 'bg-accent', bad: 'bg-bad', waiting: 'beating bg-warn' } as const

/** A step of a timeline: what happened, and when. */
export type TimelineStep = { key: string; tone: keyof typeof TONES; text: ReactNode; time: ReactNode }

/** What happened to one thing, oldest first, as dots on a line. */
export function TimelineSteps({ steps }: { steps: readonly TimelineStep[] }) {
  const last = steps.at(-1)
  return (
    <ol className="grid">
      {steps.map((step) => (
        <li key={step.key} className="grid grid-cols-[0.5rem_minmax(0,1fr)_auto] items-baseline gap-x-3 pb-3 text-md last:pb-0">
          <span aria-hidden className="relative self-stretch">
            <span className={cx('absolute top-1.5 size-2 rounded-full', TONES[step.tone])} />
            {step === last ? null : <span className="absolute top-3.5 -bottom-4.5 left-[0.21875rem] w-px bg-line" />}
          </span>
          <span>{step.text}</span>
          <span className="text-sm text-soft tabular-nums">{step.time}</span>
        </li>
      ))}
    </ol>
  )
}
