import type { ReactNode } from 'react'

/** Something long in a frame, closed. */
export function Example({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="overflow-hidden rounded-[10px] border bg-code [&>.snippet]:rounded-none [&>.snippet]:border-x-0 [&>.snippet]:border-b-0">
      <summary className="cursor-pointer px-[0.9rem] py-[0.55rem] text-[0.88rem] font-semibold focus-visible:-outline-offset-2">
        {title}
      </summary>
      {children}
    </details>
  )
}
