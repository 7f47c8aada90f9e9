import type { ReactNode } from 'react'
import { cx } from './class-names'

/** The label of a keyboard key. All letters have the same width. */
export function Kbd({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <kbd
      className={cx(
        'inline-grid h-5 min-w-5.5 place-items-center rounded border bg-code px-1 font-sans text-[0.6875rem] leading-none text-soft',
        typeof children === 'string' && children.length === 1 && 'uppercase',
        className,
      )}
    >
      {children}
    </kbd>
  )
}
