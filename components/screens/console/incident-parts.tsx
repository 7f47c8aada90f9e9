import type { inferRouterOutputs } from '@trpc/server'
import { MINUTE_MS } from '@/server/base/durations'
import type { Root } from '@/server/trpc/router'
import { networkNames } from '../../client/own-key'
import { Time } from '../../client/time'
import { useZone } from '../../client/zone'
import { cx } from '../../ui/class-names'
import { spanText, timeRange } from '../../ui/dates'

/** An incident of the public status page. */
export type Incident = inferRouterOutputs<Root>['admin']['incidents']['list']['incidents'][number]

/** Where an incident was, how long, and from when until when. */
export function IncidentFacts({ incident: { networks, started_at, resolved_at } }: { incident: Incident }) {
  const zone = useZone()
  return (
    <span className="text-sm text-soft tabular-nums">
      {networkNames(networks)} ·{' '}
      {resolved_at === null ? (
        <>
          began <Time at={started_at} />
        </>
      ) : (
        `${lengthText(started_at, resolved_at)} · ${timeRange(new Date(started_at), new Date(resolved_at), zone)}`
      )}
    </span>
  )
}

/** The updates, newest first. */
export function Updates({ incident: { resolved_at, updates } }: { incident: Incident }) {
  return (
    <ol className="mt-2 grid border-t pt-4">
      {updates.map(({ at, text }, index) => (
        <Update
          key={at}
          at={at}
          stage={index === 0 && resolved_at !== null ? 'Resolved' : index === updates.length - 1 ? 'Reported' : 'Update'}
          text={text}
        />
      ))}
    </ol>
  )
}

const DOTS = { Resolved: 'bg-accent', Update: 'bg-soft', Reported: 'bg-warn' } as const

/** An update as a point of a line, which ends with how the incident began. */
function Update({ at, stage, text }: { at: string; stage: keyof typeof DOTS; text: string }) {
  return (
    <li className="group/update grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3">
      <span aria-hidden className="relative grid justify-items-center">
        {/* From the middle of this dot to that of the next one. */}
        <span className="absolute top-3 -bottom-3 w-px bg-line group-last/update:hidden max-sm:top-2.5 max-sm:-bottom-2.5" />
        <span className={cx('relative mt-[0.4375rem] size-2.5 rounded-full max-sm:mt-[0.3125rem]', DOTS[stage])} />
      </span>
      <span className="grid items-baseline gap-x-4 pb-4 group-last/update:pb-1 sm:grid-cols-[13rem_minmax(0,1fr)]">
        <span className="text-sm text-soft">
          <span className="font-medium text-ink">{stage}</span> · <Time at={at} />
        </span>
        <span className="whitespace-pre-line wrap-anywhere">{text}</span>
      </span>
    </li>
  )
}

// In whole minutes.
const lengthText = (from: string, to: string): string =>
  spanText(Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / MINUTE_MS)) * 60)
