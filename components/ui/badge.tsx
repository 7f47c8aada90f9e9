import type { ReactNode } from 'react'
import { cx } from './class-names'

const TONES = {
  good: 'bg-wash text-accent',
  bad: 'bg-bad-wash text-bad',
  warn: 'bg-warn-wash text-warn',
  plain: 'bg-code text-soft',
} as const

/** A state in a word or two. */
export function Badge({ tone = 'plain', children }: { tone?: keyof typeof TONES; children: ReactNode }) {
  return (
    <span className={cx('inline-flex items-center rounded-md px-2 py-0.5 text-xs font-medium whitespace-nowrap', TONES[tone])}>
      {children}
    </span>
  )
}

/** A word beside a title of a public page. */
export function Tag({ tone, children }: { tone?: 'good' | 'bad'; children: ReactNode }) {
  const look = tone ? `border-transparent ${TONES[tone]}` : 'text-soft'
  return (
    <span
      className={cx('rounded-full border px-[0.6rem] py-[0.1rem] text-[0.78rem]/[1.3] font-semibold whitespace-nowrap', look)}
    >
      {children}
    </span>
  )
}

/** The name of a plan or tier as a title: `scale` is "Scale". */
export function titled(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}
