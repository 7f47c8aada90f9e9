import type { Day } from '@/server/base/zones'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** A day as people type it: `2026-11-3` and `Nov 3, 2026` are `2026-11-03`. Null if it is no day of the calendar. */
export function readDay(text: string): Day | null {
  const [, name = '', dateOfName, yearOfName] = /^([a-z]{3}) (\d\d?), ?(\d{4})$/i.exec(text.trim()) ?? []
  const numbers = yearOfName ? `${yearOfName}-${MONTHS.indexOf(name.toLowerCase()) + 1}-${dateOfName}` : text.trim()
  const [, year, month = '', date = ''] = /^(\d{4})-(\d\d?)-(\d\d?)$/.exec(numbers) ?? []
  if (!year) return null
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  const time = Date.parse(`${day}T00:00:00Z`)
  // A 31st of a shorter month would be read as a day of the next one.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? day : null
}

/** A minute as people type it: `9:30` is `09:30`. Null if no clock shows it. */
export function readMinute(text: string): string | null {
  const [, hour = '', minute = ''] = /^(\d\d?):?(\d\d)$/.exec(text.trim()) ?? []
  return hour && Number(hour) < 24 && Number(minute) < 60 ? `${hour.padStart(2, '0')}:${minute}` : null
}
