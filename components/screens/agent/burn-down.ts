import type { inferRouterOutputs } from '@trpc/server'
import { DAY_MS } from '@/server/base/durations'
import type { Root } from '@/server/trpc/router'

/** How credits came and went, as the service tells it. */
export type CreditHistory = inferRouterOutputs<Root>['activity']['creditsOfAgent']

/** Credits that were left at a moment, in milliseconds. */
export type Left = { at: number; left: number }

/** A day of the curve: what it used and bought, and what was left at its end. */
type BurnDay = { day: string; used: number; bought: number; left: number }

/** The credits left over time, oldest first, with the purchases in it; and when they end at the current pace. */
export type BurnDown = { line: Left[]; days: BurnDay[]; purchases: (Left & { credits: number })[]; end: number | null }

const DAYS = 30
const WEEK = 7

/**
 * The curve of 30 UTC days, reckoned back from what is left now: each day falls evenly by what it used, and rises at each purchase. It
 * begins with the first purchase; with today only, if today has more payments than were counted.
 */
export function burnDown(history: CreditHistory, now: number): BurnDown {
  const { left, isPartial } = history
  const firstAt = history.firstAt === null ? now : Date.parse(history.firstAt)
  const today = now - (now % DAY_MS)
  const begin = Math.max(isPartial ? today : today - (DAYS - 1) * DAY_MS, firstAt - (firstAt % DAY_MS))
  const days: (BurnDay & { starts: number; before: number })[] = []
  let rest = left
  for (let starts = today; starts >= begin; starts -= DAY_MS) {
    const day = new Date(starts).toISOString().slice(0, 10)
    const used = history.days.find((one) => one.day === day)?.used ?? 0
    const bought = boughtIn(history, starts).reduce((sum, { credits }) => sum + credits, 0)
    // What was used without history is not known, so the reckoning can miss some.
    const before = Math.max(0, rest + used - bought)
    days.unshift({ day, used, bought, left: rest, starts, before })
    rest = before
  }
  const line: Left[] = []
  const purchases: BurnDown['purchases'] = []
  for (const { starts, used, left: after, before } of days) {
    const entries = boughtIn(history, starts)
    // A purchase can be newer than the minute of the screen.
    const ends = Math.max(Math.min(starts + DAY_MS, now), ...entries.map(({ at }) => at))
    let gained = 0
    line.push({ at: starts, left: before })
    for (const { at, credits } of entries) {
      const spent = (used * (at - starts)) / Math.max(1, ends - starts)
      line.push({ at, left: Math.max(0, before - spent + gained) })
      gained += credits
      const then = { at, left: Math.max(0, before - spent + gained) }
      line.push(then)
      purchases.push({ ...then, credits })
    }
    line.push({ at: ends, left: after })
  }
  const perDay = pace(history, now)
  const lasts = perDay === 0 ? Number.POSITIVE_INFINITY : left / perDay
  return {
    line: line.filter(({ at }) => at >= firstAt),
    days: days.map(({ day, used, bought, left }) => ({ day, used, bought, left })),
    purchases,
    end: left > 0 && lasts <= LAST_DAY ? now + lasts * DAY_MS : null,
  }
}

/** A pace so low says nothing about a year. */
const LAST_DAY = 365

/** So many labels of days stand beside each other on a phone. */
const LABELS = 5

/** Where the axis of a range has labels: now, and midnights that are far enough from it and from each other. Milliseconds. */
export function axisTicks({ from, to, now }: { from: number; to: number; now: number }): number[] {
  const today = now - (now % DAY_MS)
  const step = Math.ceil((to - from) / DAY_MS / LABELS) * DAY_MS
  const first = today - Math.floor((today - from) / step) * step
  const midnights = Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, at) => first + at * step)
  // Below the axis of the figures a label would hang under their lowest.
  const clear = midnights.filter((at) => (step === DAY_MS || at - from > DAY_MS) && Math.abs(at - now) >= (to - from) / LABELS)
  return [...clear, now].sort((one, other) => one - other)
}

const boughtIn = ({ purchases }: CreditHistory, starts: number) =>
  purchases.map(({ at, credits }) => ({ at: Date.parse(at), credits })).filter(({ at }) => at >= starts && at < starts + DAY_MS)

/** The credits used in the last seven UTC days with today. */
function usedInWeek({ days }: CreditHistory, now: number): number {
  const since = new Date(now - (WEEK - 1) * DAY_MS).toISOString().slice(0, 10)
  return days.filter(({ day }) => day >= since).reduce((sum, { used }) => sum + used, 0)
}

/** Credits a day, over the last week or since the first purchase if that is newer. */
function pace(history: CreditHistory, now: number): number {
  const age = history.firstAt === null ? WEEK : (now - Date.parse(history.firstAt)) / DAY_MS
  return usedInWeek(history, now) / Math.min(WEEK, Math.max(1, age))
}

/** How long so many credits last at the current pace: "about 32 days". Null without a pace, or for more than a year. */
export function lastsText(history: CreditHistory, now: number, credits: number): string | null {
  const perDay = pace(history, now)
  const days = perDay === 0 ? Number.POSITIVE_INFINITY : Math.round(credits / perDay)
  if (days > LAST_DAY) return null
  return days === 0 ? 'less than a day' : days === 1 ? 'about a day' : `about ${days} days`
}

/** How long the credits last at the current pace, in words. */
export function paceText(history: CreditHistory, now: number): string {
  const week = usedInWeek(history, now)
  if (week === 0) return 'Not used in the last 7 days'
  const { end } = burnDown(history, now)
  if (end === null) return `${week.toLocaleString('en')} used in the last 7 days`
  const days = Math.round((end - now) / DAY_MS)
  const lasts = days === 0 ? 'Less than a day' : days === 1 ? 'About a day' : `About ${days} days`
  return `${lasts} at your current pace`
}
