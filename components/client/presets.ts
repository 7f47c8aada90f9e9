import { type Day, dateAfter } from '@/server/base/zones'

/** The ranges of days that screens offer by name. */
export const presets = [
  ['today', 'Today'],
  ['yesterday', 'Yesterday'],
  ['week', 'Last 7 days'],
  ['month', 'Last 30 days'],
  ['this-month', 'This month'],
  ['last-month', 'Last month'],
] as const

export type PresetName = (typeof presets)[number][0]

/** The first and the last day of a preset on this day. */
export function daysOf(name: PresetName, today: Day): [first: Day, last: Day] {
  return DAYS[name](today)
}

const monthOf = (day: Day): Day => `${day.slice(0, 7)}-01`

const DAYS: Record<PresetName, (today: Day) => [first: Day, last: Day]> = {
  today: (today) => [today, today],
  yesterday: (today) => [dateAfter(today, -1), dateAfter(today, -1)],
  week: (today) => [dateAfter(today, -6), today],
  month: (today) => [dateAfter(today, -29), today],
  'this-month': (today) => [monthOf(today), today],
  'last-month': (today) => {
    const last = dateAfter(monthOf(today), -1)
    return [monthOf(last), last]
  },
}
