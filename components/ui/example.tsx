import type { ReactNode } from 'react'

/** A faint, marked example of what a screen will show. It is hidden from screen readers and reacts to nothing. */
export function Example({ children }: { children: ReactNode }) {
  return (
    <div
      aria-hidden
      inert
      className="rounded-xl border border-dashed border-line text-left select-none [mask-image:linear-gradient(black_55%,transparent)]"
    >
      <p className="m-0 px-4 pt-2.5 text-xs font-medium text-soft">Example</p>
      {/* Its frame is the only one. */}
      <div className="opacity-60 [&_.rounded-xl]:border-0 [&_.rounded-xl]:bg-transparent">{children}</div>
    </div>
  )
}
