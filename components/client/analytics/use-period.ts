'use client'

import { createParser, parseAsNumberLiteral, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { dateAfter, dateIn, daysBetween } from '@/server/base/zones'
import { daysOf } from '../presets'
import { useEnvironment } from '../use-environment'
import { useZoneChoice } from '../zone'
import { LENGTHS, periodInput } from './period-input'

/** The longest period, as the server has it. */
const DAYS_MAX = 366

const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
const parseAsDay = createParser({ parse: (text) => (isDate(text) ? text : null), serialize: (day: string) => day })

/** The months to choose from, by the names of their presets. */
export const MONTHS = ['this-month', 'last-month'] as const

const parsers = {
  days: parseAsNumberLiteral(LENGTHS),
  period: parseAsStringLiteral(MONTHS),
  from: parseAsDay,
  to: parseAsDay,
  asset: parseAsString,
}

/** The period, time zone, environment, network and token of a screen, kept in the URL. `input` is null while the environment is unknown. */
export function usePeriod() {
  const selected = useEnvironment()
  const [{ days, period, from, to, asset }, change] = useQueryStates(parsers, { history: 'push' })
  const [zone, setZone] = useZoneChoice()
  const custom = from && to && from <= to && daysBetween(from, to) < DAYS_MAX ? { from, to } : null
  const named = custom ? null : period
  const month = named && daysOf(named, todayIn(zone))[0].slice(0, 7)
  const within = selected.network ?? selected.environment
  return {
    ...selected,
    days: custom || named ? null : (days ?? 30),
    /** The month that was chosen by its name. */
    named,
    custom,
    zone,
    input: within ? periodInput({ zone, within }, { days, month, custom, asset }) : null,
    setDays: (to: (typeof LENGTHS)[number]) => void change({ ...NO_PERIOD, days: to }),
    setNamed: (to: (typeof MONTHS)[number]) => void change({ ...NO_PERIOD, period: to }),
    setCustom: (range: { from: string; to: string }) => void change({ ...NO_PERIOD, ...fitting(range) }),
    setZone,
    /** The chosen token; null for the usual one. */
    asset,
    setAsset: (to: string | null) => void change({ asset: to }),
  }
}

const NO_PERIOD = { days: null, period: null, from: null, to: null }

export type SelectedPeriod = ReturnType<typeof usePeriod>

// A range that is typed may begin after its end, or be too long: the end moves.
function fitting({ from, to }: { from: string; to: string }) {
  if (from > to) return { from, to: from }
  return { from, to: daysBetween(from, to) < DAYS_MAX ? to : dateAfter(from, DAYS_MAX - 1) }
}

/** Today's date in a time zone. */
export const todayIn = (zone: string) => dateIn(zone, Date.now())
