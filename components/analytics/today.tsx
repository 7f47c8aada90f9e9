import type { inferRouterOutputs } from '@trpc/server'
import type { ReactNode } from 'react'
import type { Root } from '@/server/trpc/router'
import { usdc } from '../ui/figures'
import { Panel, Skeleton } from '../ui/panel'

type Sums = inferRouterOutputs<Root>['merchant']['today']

const LIVE_MS = 5_000
/** Used when there are too many rows to count. */
const LARGE_MS = 60_000

/** How often today's figures refresh. */
export const liveToday = {
  refetchInterval: ({ state }: { state: { data: Sums | undefined } }) => (state.data?.more ? LARGE_MS : LIVE_MS),
}

/** Today's figures so far. All other figures cover completed days. */
export function Today({ sums }: { sums: Sums | undefined }) {
  const over = sums?.more ? 'over ' : ''
  return (
    <Panel title="Today so far" action={<Live day={sums?.day} />} className="mb-6">
      <dl className="grid grid-cols-3 gap-3 px-4 py-3.5">
        <Fact name="Settled">{sums && `${over}${sums.settled.toLocaleString('en')}`}</Fact>
        <Fact name="Volume" unit="USDC">
          {sums && `${over}${usdc(sums.volume)}`}
        </Fact>
        <Fact name="Failed">{sums && `${over}${sums.failed.toLocaleString('en')}`}</Fact>
      </dl>
    </Panel>
  )
}

function Live({ day }: { day: string | undefined }) {
  return (
    <span className="flex items-center gap-2 text-[0.8125rem] text-soft">
      <span aria-hidden className="size-2 rounded-full bg-accent" />
      {day ? `Live, ${day} (UTC)` : 'Live'}
    </span>
  )
}

function Fact({ name, unit, children }: { name: string; unit?: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-0.5">
      <dt className="text-[0.8125rem] text-soft">{name}</dt>
      <dd className="flex min-h-7 min-w-0 flex-wrap items-baseline gap-x-1.5">
        <span className="text-lg leading-7 font-semibold wrap-anywhere tabular-nums">
          {children ?? <Skeleton className="my-1 h-5 w-16" />}
        </span>
        {unit ? <span className="text-[0.8125rem] text-soft">{unit}</span> : null}
      </dd>
    </div>
  )
}
