import type { ReactNode } from 'react'
import { Slip, Stamp } from '../../ui/receipt-slip'

type SlipProps = { word: string; stamp: string }

/** A stamped slip without words, which says nothing to a screen reader; on a phone a small one. */
function EmptySlip({ word, stamp }: SlipProps) {
  return (
    <div aria-hidden inert className="app rotate-3 select-none max-md:order-first max-md:mx-auto max-md:w-52 md:mt-2 md:mr-3">
      <Slip word={word} label={stamp}>
        <div className="grid gap-2 max-md:hidden">
          <span className="h-3 w-2/3 rounded-full bg-line" />
          <span className="h-2 w-1/3 rounded-full bg-line" />
        </div>
        <p className="grid justify-items-center border-y border-dashed py-3 md:py-7">
          <span className="md:scale-110 lg:scale-125">
            <Stamp tone="warn">{stamp}</Stamp>
          </span>
        </p>
        <div className="grid gap-2.5 max-md:hidden">
          {['w-4/5', 'w-3/5', 'w-2/3', 'w-1/2'].map((width) => (
            <span key={width} className={`h-2 rounded-full bg-line ${width}`} />
          ))}
        </div>
      </Slip>
    </div>
  )
}

/** What a page lacks, beside a stamped slip; on a phone below a small one. */
export function WithEmptySlip({ children, ...slip }: SlipProps & { children: ReactNode }) {
  return (
    <div className="grid w-full grid-cols-1 items-start gap-x-14 gap-y-6 md:pb-7 md:grid-cols-[minmax(0,1fr)_15rem] lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid min-w-0 justify-items-start gap-4 [&>p]:max-w-[min(100%,42rem)]">{children}</div>
      <EmptySlip {...slip} />
    </div>
  )
}
