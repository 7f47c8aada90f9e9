import type { inferRouterOutputs } from '@trpc/server'
import Link from 'next/link'
import type { Root } from '@/server/trpc/router'
import { reasonTitle } from '@/server/x402/reasons/titles'
import { environmentTitles } from '../../client/environment'
import type { OwnKey } from '../../client/own-key'
import { Time } from '../../client/time'
import { useEnvironment } from '../../client/use-environment'
import { eachDay } from '../../ui/chart/each-day'
import { Sparkline } from '../../ui/chart/sparkline'
import { partText } from '../../ui/figures'
import { Skeleton } from '../../ui/panel'

/** What a key did lately. */
export type Activity = Omit<inferRouterOutputs<Root>['activity']['ofKeys'][number], 'id'>

const DAYS = 14

type Props = {
  apiKey: Pick<OwnKey, 'id' | 'historyEnabled'>
  /** Undefined while it loads, null if it could not be read. */
  activity: Activity | null | undefined
  most: number
}

/** A key's last two weeks, drawn against the `most` payments that any key had in a day, and its newest failure. */
export function KeyActivity({ apiKey: { id, historyEnabled }, activity, most }: Props) {
  const { environment } = useEnvironment()
  if (!historyEnabled) return <p className="text-sm text-soft">History is off, so this key shows no activity.</p>
  if (activity === null) return <p className="flex items-center text-sm text-soft md:min-h-13">Activity unknown</p>
  if (!activity) return <Skeleton className="h-13 w-28" />
  const { days, lastFailure } = activity
  if (days.length === 0 && !lastFailure) {
    const kind = environment ? `${environmentTitles[environment]} payments` : 'payments'
    return <p className="flex items-center text-sm text-soft md:min-h-13">No {kind} in 14 days</p>
  }
  const sum = (of: 'count' | 'failed') => days.reduce((total, day) => total + day[of], 0)
  const failed = sum('failed')
  const settlements = `/dashboard/settlements?${new URLSearchParams({ key: id, ...(environment ? { environment } : {}) })}`
  const settled = sum('count') - failed
  return (
    <div className="grid min-h-13 min-w-0 content-start gap-1 text-sm">
      <Link href={settlements} className="flex items-end gap-2 justify-self-start text-soft no-underline hover:text-ink">
        <Sparkline days={eachDay(days, DAYS)} most={most} what="attempts in 14 days" />
        <span className="tabular-nums">
          {settled.toLocaleString('en')} settled
          {failed > 0 ? (
            <>
              {' · '}
              <span className={isUnusual(failed, sum('count')) ? 'text-bad' : undefined}>
                {failed.toLocaleString('en')} failed ({partText(failed / sum('count'))})
              </span>
            </>
          ) : null}
        </span>
      </Link>
      <p className="flex min-w-0 gap-x-1 text-soft">
        {lastFailure ? (
          <>
            <span className="whitespace-nowrap">Last failure:</span>
            <Link href={`${settlements}&id=${lastFailure.id}`} className="truncate text-ink">
              {reasonTitle(lastFailure.reason)}
            </Link>
            <Time at={lastFailure.at} />
          </>
        ) : (
          'No recent failures'
        )}
      </p>
    </div>
  )
}

// Payers without funds are usual; one attempt in five is more than they explain.
const isUnusual = (failed: number, all: number): boolean => failed * 5 >= all
