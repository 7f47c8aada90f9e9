import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Time } from '../../client/time'
import { DeliveryState, type Endpoint, responseOf } from '../../client/webhook-texts'
import { cx } from '../../ui/class-names'
import { duration, shareText } from '../../ui/figures'
import { Hint } from '../../ui/hint'
import { countedText } from '../../ui/list-summary'
import { HourBars } from './hour-bars'

type Props = {
  endpoint: Endpoint
  /** Opens a delivery. Absent in an example, which has no controls. */
  onOpen?: ((delivery: string) => void) | undefined
}

/** How the deliveries of a day went: the newest, figures, and attempts by hour. */
export function EndpointHealth({ endpoint: { last, failures, day, hours, disabledAt }, onOpen }: Props) {
  if (!last) return <p className="text-sm text-soft">Nothing sent yet</p>
  return (
    <div className="grid grid-cols-1 items-end gap-x-10 gap-y-3 text-sm lg:grid-cols-2">
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
      {hours.length > 0 ? <Hours hours={hours} folds={onOpen !== undefined} /> : null}
    </div>
  )
}

type LastProps = Pick<Props, 'onOpen'> & { last: NonNullable<Endpoint['last']>; isOff: boolean }

function Last({ last: { id, state, at, status, error }, isOff, onOpen }: LastProps) {
  return (
    <button
      type="button"
      onClick={() => onOpen?.(id)}
      title={responseOf({ lastStatus: status, lastError: error }) ?? undefined}
      className="flex min-h-6 flex-wrap items-center gap-x-2 text-left hover:underline"
    >
      <span className="text-soft">Last delivery</span>
      {/* Nothing is well while it gets nothing. */}
      {isOff ? null : <DeliveryState state={state} />} <Time at={at} />
    </button>
  )
}

/** The attempts by hour; folded on a phone, unless it is an example. */
function Hours({ hours, folds }: Pick<Endpoint, 'hours'> & { folds: boolean }) {
  const [unfolded, setUnfolded] = useState(false)
  const bars = useId()
  return (
    <div className="min-w-0">
      {folds ? (
        <button
          type="button"
          aria-expanded={unfolded}
          aria-controls={bars}
          onClick={() => setUnfolded(!unfolded)}
          className="flex min-h-8 items-center gap-1 text-soft hover:text-ink sm:hidden"
        >
          Last 24 hours
          <ChevronDown aria-hidden className={cx('size-4 transition-transform', unfolded && 'rotate-180')} />
        </button>
      ) : null}
      <div id={bars} className={cx(folds && !unfolded && 'max-sm:hidden')}>
        <HourBars hours={hours} />
      </div>
    </div>
  )
}

/** The share of a day's messages that arrived, and how long the receiver took. */
function Answers({ day: { ended, delivered, median, p95 } }: { day: NonNullable<Endpoint['day']> }) {
  const share = shareText(delivered / ended)
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      <Answer
        label="Delivered"
        hint={`Of the newest ${countedText(ended, 'delivery', { many: 'deliveries' })} of 24 hours, retries included: ${share} arrived`}
      >
        {share}
      </Answer>
      {median === null ? null : (
        <Answer label="Median" hint="Half of the responses took this long or less">
          {duration(median)}
        </Answer>
      )}
      {p95 === null ? null : (
        <Answer label="p95" hint="95% of the responses took this long or less">
          {duration(p95)}
        </Answer>
      )}
    </dl>
  )
}

function Answer({ label, hint, children }: { label: string; hint: string; children: ReactNode }) {
  return (
    <div>
      <dt className="flex min-h-6 items-center text-soft">
        <Hint text={hint}>{label}</Hint>
      </dt>
      <dd className="text-lg leading-tight font-semibold tabular-nums">{children}</dd>
    </div>
  )
}
