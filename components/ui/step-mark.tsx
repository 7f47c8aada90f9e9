import { Check, LoaderCircle, X } from 'lucide-react'
import { cx } from './class-names'

const MARKS = { done: 'bg-wash text-accent', next: 'bg-accent font-semibold text-paper', later: 'bg-code text-soft' } as const

/** How far a step is. One of those that are not done is next. */
export type StepState = keyof typeof MARKS

/** The number of a step; a check mark once it is done. */
export function StepMark({ number, state }: { number: number; state: StepState }) {
  return (
    <span className={cx('grid size-7 place-items-center rounded-full text-xs tabular-nums', MARKS[state])}>
      {state === 'done' ? <StepIcon state="done" /> : number}
    </span>
  )
}

const ICONS = {
  running: { Icon: LoaderCircle, label: 'In progress', look: 'motion-safe:animate-spin' },
  done: { Icon: Check, label: 'Done', look: null },
  failed: { Icon: X, label: 'Failed', look: null },
} as const

/** The icon of a step that has begun. */
export function StepIcon({ state, className }: { state: keyof typeof ICONS; className?: string }) {
  const { Icon, label, look } = ICONS[state]
  return <Icon role="img" aria-label={label} className={cx('size-4', look, className)} />
}
