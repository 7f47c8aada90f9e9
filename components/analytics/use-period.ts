'use client'

import { createParser, parseAsNumberLiteral, useQueryStates } from 'nuqs'
import { dateAfter, dateIn, daysBetween } from '@/server/analytics/zones'
import type { Environment, NetworkId } from '@/server/x402/networks'
import { useEnvironment } from '../data/environment'
import { useZoneChoice } from '../data/zone'

/** The lengths to choose from, in days. */
export const LENGTHS = [7, 30, 90] as const
/** The longest period, as the server has it. */
const DAYS_MAX = 366

const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
const parseAsDay = createParser({ parse: (text) => (isDate(text) ? text : null), serialize: (day: string) => day })

const parsers = { days: parseAsNumberLiteral(LENGTHS), from: parseAsDay, to: parseAsDay }

/** What screens send to the server for a period. */
export type PeriodInput = {
  days: (typeof LENGTHS)[number]
  from?: string
  to?: string
  zone: string
  within: Environment | NetworkId
}

/** The period, time zone, environment and network of a screen, kept in the URL. `input` is null while the environment is unknown. */
export function usePeriod() {
  const selected = useEnvironment()
  const [{ days, from, to }, change] = useQueryStates(parsers, { history: 'push' })
  const [zone, setZone] = useZoneChoice()
  const custom = from && to && from <= to && daysBetween(from, to) < DAYS_MAX ? { from, to } : null
  const length = days ?? 30
  const within = selected.network ?? selected.environment
  return {
    ...selected,
    days: custom ? null : length,
    custom,
    zone,
    input: within ? ({ days: length, ...(custom ?? {}), zone, within } satisfies PeriodInput) : null,
    setDays: (to: (typeof LENGTHS)[number]) => void change({ days: to, from: null, to: null }),
    setCustom: (range: { from: string; to: string }) => void change({ days: null, ...fitting(range) }),
    setZone,
  }
}

export type SelectedPeriod = ReturnType<typeof usePeriod>

// A range that is typed may begin after its end, or be too long: the end moves.
function fitting({ from, to }: { from: string; to: string }) {
  if (from > to) return { from, to: from }
  return { from, to: daysBetween(from, to) < DAYS_MAX ? to : dateAfter(from, DAYS_MAX - 1) }
}

/** Today's date in a time zone. */
export const todayIn = (zone: string) => dateIn(zone, Date.now())
