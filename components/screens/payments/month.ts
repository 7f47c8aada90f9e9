import type { Token } from '@/server/x402/networks/assets'

type Paid = { payments: number; amount: string }
type Month = Paid & { month: string }

/** What a wallet paid of a token in each of twelve months (`2026-11`) and thirty days (`2026-11-28`), this one last; amounts in atomic units. */
export type Spent = Token & { months: readonly Month[]; days: readonly (Paid & { day: string })[] }

/** The months from the first with payments on; none without any payment. */
export function shownMonths(months: readonly Month[]): readonly Month[] {
  const first = months.findIndex(({ payments }) => payments > 0)
  return first < 0 ? [] : months.slice(first)
}

/** A month in a form. */
export const formatMonth = (month: string, form: Intl.DateTimeFormatOptions) =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', { ...form, timeZone: 'UTC' })

/** A month with its year: `November 2026`. */
export const nameOf = (month: string) => formatMonth(month, { month: 'long', year: 'numeric' })
