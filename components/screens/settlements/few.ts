import type { Shown } from '@/server/history/present'

/** Below so many rows a list is read faster than searched. */
const FEW = 10

// What each filter chooses by.
const VALUES = {
  reason: ({ reasonTitle }) => reasonTitle,
  network: ({ network }) => network,
  key: ({ tenantId }) => tenantId,
  resource: ({ resource }) => resource,
  payer: ({ payer }) => payer,
  recipient: ({ payTo }) => payTo,
  outcome: ({ success }) => String(success),
  token: ({ asset }) => asset,
  search: () => null,
} as const satisfies Record<string, (row: Shown) => string | null>

type Valued = keyof typeof VALUES

/** What a list may go without. */
export type Spare = Valued | 'range'

const names = Object.keys(VALUES).filter((name): name is Valued => Object.hasOwn(VALUES, name))

/** The filters that tell no rows of a whole list apart, if these are few. Without any other filter the range of time goes too. */
export function spareFor(rows: readonly Shown[]): Spare[] {
  if (rows.length >= FEW) return []
  const spare = names.filter((name) => new Set(rows.map(VALUES[name]).filter((value) => value !== null)).size < 2)
  return spare.length === names.length ? [...spare, 'range'] : spare
}
