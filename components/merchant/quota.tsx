import { Meter } from '../ui/meter'
import type { OwnKey } from './own-key'

const DAY_S = 86_400

/** The units of this month, and how long they last at this month's rate. */
export function QuotaBar({
  left,
  limit,
  resetAt,
  plan,
  onPlans,
}: OwnKey['quota'] & Pick<OwnKey, 'plan'> & { onPlans: () => void }) {
  const used = limit - left
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap justify-between gap-x-4 text-[0.8125rem]">
        <span>
          {used.toLocaleString('en')} of {limit.toLocaleString('en')} settlements this month
          {plan === 'free' ? ', shared by your free keys' : ''}
        </span>
        <span className="text-soft">
          {resetAt === null ? null : <>Resets {dayOf(resetAt)} · </>}
          <button type="button" onClick={onPlans} className="text-accent underline">
            Plans
          </button>
        </span>
      </div>
      <Meter label="Settlements used" used={used} limit={limit} />
      {resetAt === null ? null : <Forecast used={used} left={left} resetAt={resetAt} />}
    </div>
  )
}

type Use = { used: number; left: number; resetAt: number }

function Forecast(use: Use) {
  if (use.left === 0) {
    return (
      <p className="m-0 text-[0.8125rem] text-bad">
        Used up. Settles are refused until {dayOf(use.resetAt)}, or until you change the plan.
      </p>
    )
  }
  const end = lastsUntil(use, Math.floor(Date.now() / 1_000))
  return end === null ? null : (
    <p className="m-0 text-[0.8125rem] text-bad">At this month’s rate, it is used up on {dayOf(end)}.</p>
  )
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

const dayOf = (seconds: number): string =>
  new Date(seconds * 1_000).toLocaleDateString('en', { month: 'short', day: 'numeric', timeZone: 'UTC' })
