import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { EVENT_MEANINGS } from '@/server/webhooks/event-texts'
import { eventGroups, type WebhookEvent } from '@/server/webhooks/events'
import { cx } from '../../ui/class-names'

type Events = readonly WebhookEvent[]
type Props = { events: Events; onChange: (events: Events) => void }

/** Chooses events, each or by group. A group is open at first if it is chosen in part. */
export function EventChoice({ events, onChange }: Props) {
  return (
    <fieldset>
      <legend className="pb-1.5 text-sm font-medium">Events</legend>
      <div className="rounded-lg border">
        {eventGroups.map(([name, members]) => (
          <Group key={name} name={name} members={members} events={events} onChange={onChange} />
        ))}
      </div>
    </fieldset>
  )
}

// Its group has the rest of the name.
const shortName = (event: string): string => event.slice(event.indexOf('.') + 1).replace('_', ' ')

type GroupProps = Props & { name: string; members: Events }

function Group({ name, members, events, onChange }: GroupProps) {
  const picked = members.filter((one) => events.includes(one))
  const chosen = picked.length
  const inPart = chosen > 0 && chosen < members.length
  const [unfolded, setUnfolded] = useState(inPart)
  const list = useId()
  const others = events.filter((one) => !members.includes(one))
  return (
    <div className="border-b last:border-b-0">
      <div className="flex items-center justify-between gap-3">
        <label className="flex min-h-10 items-center gap-2 pl-3 font-medium">
          <input
            type="checkbox"
            ref={(box) => {
              if (box) box.indeterminate = inPart
            }}
            checked={chosen === members.length}
            onChange={({ target }) => onChange(target.checked ? [...others, ...members] : others)}
          />
          {name}
        </label>
        <button
          type="button"
          aria-expanded={unfolded}
          aria-controls={list}
          aria-label={`${name}: ${chosen} of ${members.length} events`}
          onClick={() => setUnfolded(!unfolded)}
          className="flex min-h-10 flex-1 items-center justify-end gap-2 pr-3 text-sm text-soft tabular-nums hover:text-ink"
        >
          {chosen} of {members.length}
          <ChevronDown aria-hidden className={cx('size-4 transition-transform', unfolded && 'rotate-180')} />
        </button>
      </div>
      {unfolded || chosen === 0 ? null : (
        <p className="-mt-1.5 px-3 pb-2.5 pl-9 text-sm text-soft">{picked.map(shortName).join(', ')}</p>
      )}
      <div id={list} className={cx('gap-2 px-3 pb-3 pl-9', unfolded ? 'grid' : 'hidden')}>
        {members.map((one) => (
          <label key={one} className="grid grid-cols-[auto_1fr] items-start gap-x-2">
            <input
              type="checkbox"
              className="mt-0.75"
              checked={events.includes(one)}
              onChange={({ target }) => onChange(target.checked ? [...events, one] : events.filter((name) => name !== one))}
            />
            <span className="grid">
              <code>{one}</code>
              <span className="text-sm text-soft">{EVENT_MEANINGS[one]}</span>
            </span>
          </label>
        ))}
      </div>
    </div>
  )
}
