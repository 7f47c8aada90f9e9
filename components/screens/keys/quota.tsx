import { type OwnKey, WARN_SHARE } from '../../client/own-key'
import { dayText } from '../../ui/dates'
import { Meter } from '../../ui/meter'

const DAY_S = 86_400

type Props = OwnKey['quota'] & { unit: string }

/** The units of this month, and how long they last at this month's rate. */
export function QuotaBar({ left, limit, resetAt, unit }: Props) {
  const used = limit - left
  const end = resetAt === null ? null : forecast({ used, left, resetAt })
  return (
    <div className="grid gap-1 text-sm">
      <div className="flex flex-wrap justify-between gap-x-4">
        <span className="tabular-nums">
          {used.toLocaleString('en')} of {limit.toLocaleString('en')} <span className="text-soft">{unit}</span>
        </span>
        {resetAt === null ? null : <span className="text-soft">Resets {dayOf(resetAt)}</span>}
      </div>
      <Meter label="Settlements used" value={used} limit={limit} alarming={limit === 0 || used / limit >= WARN_SHARE} />
      {end ? <p className="text-bad">{end}</p> : null}
    </div>
  )
}

type Use = { used: number; left: number; resetAt: number }

function forecast(use: Use): string | null {
  if (use.left === 0) return `Used up. Settles are refused until ${dayOf(use.resetAt)}, or until you change the plan.`
  const end = lastsUntil(use, Math.floor(Date.now() / 1_000))
  return end === null ? null : `At this month's rate, it is used up on ${dayOf(end)}.`
}

/** When the units end at this month's rate, in Unix seconds; null if they last until the reset, or nothing was used. */
export function lastsUntil({ used, left, resetAt }: Use, now: number): number | null {
  const month = new Date(resetAt * 1_000)
  const began = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() - 1, 1) / 1_000
  // The first day says little about a month.
  const elapsed = Math.max(now - began, DAY_S)
  if (used === 0) return null
  const end = now + Math.floor((left * elapsed) / used)
  return end < resetAt ? end : null
}

const dayOf = (seconds: number): string => dayText(new Date(seconds * 1_000).toISOString())
