import { Check } from 'lucide-react'
import { cx } from './class-names'

const MARKS = { done: 'bg-wash text-accent', next: 'bg-accent font-semibold text-paper', later: 'bg-code text-soft' } as const

/** How far a step is. One of those that are not done is next. */
export type StepState = keyof typeof MARKS

/** The number of a step; a check mark once it is done. */
export function StepMark({ number, state }: { number: number; state: StepState }) {
  return (
    <span className={cx('grid size-7 place-items-center rounded-full text-xs tabular-nums', MARKS[state])}>
      {state === 'done' ? <Check role="img" aria-label="Done" className="size-4" /> : number}
    </span>
  )
}
