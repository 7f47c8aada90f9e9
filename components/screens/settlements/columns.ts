import type { ReaderName } from '../../client/filter-parsers'

/** The columns of a list, in their order. */
export const columns = {
  time: 'Time',
  outcome: 'Outcome',
  amount: 'Amount',
  network: 'Network',
  payer: 'Payer',
  payTo: 'Recipient',
  resource: 'Resource',
  reason: 'Reason',
  key: 'Key',
  owner: 'Owner',
  transaction: 'Transaction',
  id: 'ID',
} as const

export type ColumnName = keyof typeof columns

/** The names of all columns in their order. */
export const columnNames = Object.keys(columns).filter((name): name is ColumnName => Object.hasOwn(columns, name))

const HIDDEN: Record<ReaderName, readonly ColumnName[]> = {
  merchant: ['owner'],
  agent: ['owner'],
  payer: ['payer', 'key', 'owner'],
  admin: ['key'],
}

/** The columns that a reader may choose. */
export function columnsFor(reader: ReaderName): ColumnName[] {
  return columnNames.filter((name) => !HIDDEN[reader].includes(name))
}

const OWN: Record<ReaderName, readonly ColumnName[]> = {
  merchant: ['network', 'payer', 'resource', 'key'],
  agent: ['network', 'payer', 'resource'],
  payer: ['network', 'payTo', 'resource'],
  admin: ['network', 'payer', 'resource', 'owner'],
}

/** The columns that a reader sees first. */
export function usualColumns(reader: ReaderName): ColumnName[] {
  const usual: readonly ColumnName[] = ['time', 'outcome', 'amount', ...OWN[reader], 'transaction']
  return columnNames.filter((name) => usual.includes(name))
}

/** The order of a list; by amount it has only the newest settlements of its range. */
export const orders = ['newest', 'oldest', 'largest', 'smallest'] as const
export type OrderName = (typeof orders)[number]

/** What a click on the head of a sortable column orders by, now and next. */
export const SORTS = {
  time: { first: 'newest', second: 'oldest' },
  amount: { first: 'largest', second: 'smallest' },
} as const satisfies Partial<Record<ColumnName, { first: OrderName; second: OrderName }>>

/** Whether a column is sortable. */
export const isSortable = (name: ColumnName): name is keyof typeof SORTS => Object.hasOwn(SORTS, name)
