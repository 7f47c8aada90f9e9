import type { Environment, NetworkId } from '@/server/x402/networks/networks'

/** The lengths to choose from, in days. */
export const LENGTHS = [7, 30, 90] as const

/** What screens send to the server for a period. */
export type PeriodInput = {
  days: (typeof LENGTHS)[number]
  from?: string
  to?: string
  month?: string
  zone: string
  within: Environment | NetworkId
  asset?: string
}

/** The same with whether the payers of each day are read, as the chart of payers needs them. */
export type OverviewInput = PeriodInput & { payersByDay?: true }

type Chosen = {
  days?: PeriodInput['days'] | null
  /** A month, as `2026-11`. */
  month?: string | null
  custom?: { from: string; to: string } | null
  asset?: string | null
}

/** The input for a period: the last 30 days, unless another was chosen. */
export function periodInput(
  view: Pick<PeriodInput, 'zone' | 'within'>,
  { days, month, custom, asset }: Chosen = {},
): PeriodInput {
  return { days: days ?? 30, ...(month ? { month } : {}), ...(custom ?? {}), ...view, ...(asset ? { asset } : {}) }
}
