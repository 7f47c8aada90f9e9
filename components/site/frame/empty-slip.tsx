import type { ReactNode } from 'react'
import { Slip, Stamp } from '../../ui/receipt-slip'

/** What a page lacks, beside a stamped slip without words where there is room. */
export function WithEmptySlip({ stamp, children }: { stamp: string; children: ReactNode }) {
  return (
    <div className="grid w-full grid-cols-1 items-center gap-x-14 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid min-w-0 justify-items-start gap-4 [&>p]:max-w-[min(100%,42rem)]">{children}</div>
      <div aria-hidden inert className="app mr-3 mb-3 rotate-3 select-none max-lg:hidden">
        <Slip word="Receipt" label={stamp}>
          <div className="grid gap-2">
            <span className="h-3 w-2/3 rounded-full bg-code" />
            <span className="h-2 w-1/3 rounded-full bg-code" />
          </div>
          <p className="grid justify-items-center border-y border-dashed py-7">
            <span className="scale-150">
              <Stamp tone="warn">{stamp}</Stamp>
            </span>
          </p>
          <div className="grid gap-2.5">
            {['w-4/5', 'w-3/5', 'w-2/3', 'w-1/2'].map((width) => (
              <span key={width} className={`h-2 rounded-full bg-code ${width}`} />
            ))}
          </div>
        </Slip>
      </div>
    </div>
  )
}
