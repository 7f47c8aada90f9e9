import type { ReactNode } from 'react'
import { cx } from './class-names'

/** The label of a keyboard key. */
export function Kbd({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <kbd
      className={cx(
        'inline-grid h-5 min-w-5 place-items-center rounded border bg-code px-1.5 font-sans text-[0.6875rem] leading-none text-soft',
        className,
      )}
    >
      {children}
    </kbd>
  )
}
