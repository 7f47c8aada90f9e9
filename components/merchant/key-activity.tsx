import type { inferRouterOutputs } from '@trpc/server'
import Link from 'next/link'
import type { Root } from '@/server/trpc/router'
import { reasonTitle } from '@/server/x402/reason-titles'
import { eachDay } from '../charts/each-day'
import { Sparkline } from '../charts/sparkline'
import { Skeleton } from '../ui/panel'
import { Time } from '../ui/time'
import type { OwnKey } from './own-key'

/** What a key did lately. */
export type Activity = Omit<inferRouterOutputs<Root>['activity']['ofKeys'][number], 'id'>

const DAYS = 14

type Props = { apiKey: Pick<OwnKey, 'id' | 'historyEnabled'>; activity: Activity | null }

/** A key's last two weeks and its newest failure. */
export function KeyActivity({ apiKey: { id, historyEnabled }, activity }: Props) {
  if (!historyEnabled) return <p className="m-0 text-[0.8125rem] text-soft">History is off, so this key shows no activity.</p>
  if (!activity) return <Skeleton className="h-12 w-28" />
  const { days, lastFailure } = activity
  const count = days.reduce((sum, day) => sum + day.count, 0)
  return (
    <div className="grid min-w-0 gap-0.5 text-[0.8125rem]">
      <Link
        href={`/dashboard/settlements?key=${id}`}
        className="flex items-end gap-2 justify-self-start text-soft no-underline hover:text-ink"
      >
        <Sparkline days={eachDay(days, DAYS)} what="settlements in 14 days" />
        <span aria-hidden className="tabular-nums">
          {count.toLocaleString('en')} settlements
        </span>
      </Link>
      <p className="m-0 flex min-w-0 gap-1 text-soft">
        {lastFailure ? (
          <>
            <Link
              href={`/dashboard/settlements?key=${id}&id=${lastFailure.id}`}
              className="truncate text-bad"
              title={`Last failure: ${reasonTitle(lastFailure.reason)}`}
            >
              <span className="sr-only">Last failure: </span>
              {reasonTitle(lastFailure.reason)}
            </Link>
            <Time at={lastFailure.at} />
          </>
        ) : (
          'No failures lately'
        )}
      </p>
    </div>
  )
}
