import type { ReactNode } from 'react'
import { Time } from '../../client/time'
import { DeliveryState, type Endpoint, responseOf } from '../../client/webhook-texts'
import { duration, shareText } from '../../ui/figures'
import { Hint } from '../../ui/hint'
import { countedText } from '../../ui/list-summary'
import { HourBars } from './hour-bars'

type Props = {
  endpoint: Endpoint
  /** Opens a delivery. */
  onOpen: (delivery: string) => void
}

/** How the deliveries of a day went: the newest, figures, and attempts by hour. */
export function EndpointHealth({ endpoint: { last, failures, day, hours, createdAt, disabledAt }, onOpen }: Props) {
  if (!last) return <p className="text-sm text-soft">Nothing sent yet</p>
  return (
    <div className="grid grid-cols-1 items-end gap-x-12 gap-y-3 text-sm lg:grid-cols-[22rem_minmax(0,1fr)]">
      <div className="grid min-w-0 content-between gap-2 self-stretch">
        {day ? <Answers day={day} /> : null}
        <div className="flex min-w-0 flex-wrap items-center gap-x-6 gap-y-0.5">
          <Last last={last} isOff={disabledAt !== null} onOpen={onOpen} />
          {disabledAt !== null ? null : failures > 0 ? (
            <p className="text-bad">{countedText(failures, 'delivery', { many: 'deliveries' })} failed or failing in 24 hours</p>
          ) : (
            <p className="text-soft">No failed deliveries in 24 hours</p>
          )}
        </div>
      </div>
      {hours.length > 0 ? <HourBars hours={hours} createdAt={createdAt} /> : null}
    </div>
  )
}

type LastProps = Pick<Props, 'onOpen'> & { last: NonNullable<Endpoint['last']>; isOff: boolean }

function Last({ last: { id, state, at, status, error }, isOff, onOpen }: LastProps) {
  return (
    <button
      type="button"
      onClick={() => onOpen(id)}
      title={responseOf({ lastStatus: status, lastError: error }) ?? undefined}
      className="flex min-h-6 flex-wrap items-center gap-x-2 text-left hover:underline"
    >
      <span className="text-soft">Last delivery</span>
      {/* Nothing is well while it gets nothing. */}
      {isOff ? null : <DeliveryState state={state} />} <Time at={at} />
    </button>
  )
}

/** The share of a day's messages that arrived, and how long the receiver took. */
function Answers({ day: { ended, delivered, median, p95 } }: { day: NonNullable<Endpoint['day']> }) {
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-2 sm:gap-x-8">
      <Answer
        label="Delivered"
        note="in 24 h, with retries"
        hint={`${shareText(delivered / ended)} of the newest ${countedText(ended, 'delivery', { many: 'deliveries' })} that arrived or failed in 24 hours`}
      >
        {delivered} <span className="font-normal text-soft">of</span> {ended}
      </Answer>
      {median === null || p95 === null ? null : (
        <Answer
          label="Response time"
          note="median / p95 in 24 h"
          hint="Half of the responses took the first time or less, and 95% the second"
        >
          {duration(median)} <span className="font-normal text-soft">/</span> {duration(p95)}
        </Answer>
      )}
    </dl>
  )
}

function Answer({ label, note, hint, children }: { label: string; note: string; hint: string; children: ReactNode }) {
  return (
    <div>
      <dt className="flex min-h-6 items-center text-soft">
        <Hint text={hint}>{label}</Hint>
      </dt>
      <dd className="text-lg leading-tight font-semibold tabular-nums">{children}</dd>
      <dd className="text-xs leading-4 text-soft tabular-nums">{note}</dd>
    </div>
  )
}
