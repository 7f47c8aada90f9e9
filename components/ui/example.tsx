import type { ReactNode } from 'react'
import { cx } from './class-names'

/** A faint, marked example of what a screen will show; `whole` where nothing would follow it. It is hidden from screen readers and reacts to nothing. */
export function Example({ note, whole = false, children }: { note?: string; whole?: boolean; children: ReactNode }) {
  return (
    <div
      aria-hidden
      inert
      className={cx(
        'rounded-xl border border-dashed border-soft/40 text-left select-none',
        !whole && 'pb-8 [mask-image:linear-gradient(black_calc(100%_-_2.5rem),transparent)]',
      )}
    >
      <p className="flex flex-wrap justify-between gap-x-4 px-4 pt-2.5 pb-1.5 text-xs text-soft">
        <span className="font-medium">Example</span>
        {note}
      </p>
      {/* Its frame is the only one, its ground the page's, and nothing in it looks as if it could be pressed. */}
      <div className="opacity-80 [&_:is(a,button)_.lucide]:invisible [&_h2_.lucide]:hidden [&_.lucide-chevron-right]:hidden [&_:has(>.lucide-chevron-right)]:mr-0 [&_:is(td,th):last-child:has(>.lucide-chevron-right,>.sr-only)]:hidden [&_:is(td,th):has(+:last-child>.lucide-chevron-right,+:last-child>.sr-only)]:pr-4 [&_.panel]:border-0 [&_.panel]:bg-transparent [&_thead]:bg-transparent">
        {children}
      </div>
    </div>
  )
}
