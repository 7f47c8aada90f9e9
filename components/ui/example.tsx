import type { ReactNode } from 'react'

/** A faint, marked example of what a screen will show. It is hidden from screen readers and reacts to nothing. */
export function Example({ children }: { children: ReactNode }) {
  return (
    <div
      aria-hidden
      inert
      className="relative overflow-hidden rounded-xl border border-dashed border-line text-left select-none [mask-image:linear-gradient(black_60%,transparent)]"
    >
      <span className="absolute top-2 right-2 z-10 rounded-full border border-solid border-line bg-card px-2 py-0.5 text-[0.6875rem] leading-4 text-soft">
        Example
      </span>
      <div className="opacity-60">{children}</div>
    </div>
  )
}
