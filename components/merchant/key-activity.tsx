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

type Props = { apiKey: OwnKey; activity: Activity | null }

/** A key's last two weeks and its newest failure. */
export function KeyActivity({ apiKey, activity }: Props) {
  if (!apiKey.historyEnabled)
    return <p className="m-0 text-[0.8125rem] text-soft">History is off, so this key shows no activity.</p>
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-4 gap-y-1 text-[0.8125rem]">
      {activity ? (
        <Link
          href={`/dashboard/settlements?key=${apiKey.id}`}
          className="flex items-end gap-2 text-soft no-underline hover:text-ink"
        >
          <Sparkline days={eachDay(activity.days, DAYS)} what="settlements in 14 days" /> 14 days
        </Link>
      ) : (
        <Skeleton className="h-7 w-28" />
      )}
      {activity ? (
        <span className="text-soft">
          {activity.lastFailure ? (
            <>
              Last failure:{' '}
              <Link href={`/dashboard/settlements?key=${apiKey.id}&id=${activity.lastFailure.id}`}>
                {reasonTitle(activity.lastFailure.reason)}
              </Link>
              , <Time at={activity.lastFailure.at} />
            </>
          ) : (
            'No failures lately'
          )}
        </span>
      ) : null}
    </div>
  )
}
