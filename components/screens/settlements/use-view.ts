'use client'

import { parseAsArrayOf, parseAsStringLiteral, useQueryStates } from 'nuqs'
import type { ReaderName } from '../../client/filter-parsers'
import { useRemembered } from '../../client/remembered'
import { pageParser } from '../../client/use-pages'
import { type ColumnName, columnNames, columnsFor, type OrderName, orders, usualColumns } from './columns'

const densities = ['comfortable', 'compact'] as const
export type Density = (typeof densities)[number]

const parsers = {
  columns: parseAsArrayOf(parseAsStringLiteral(columnNames)),
  density: parseAsStringLiteral(densities),
  sort: parseAsStringLiteral(orders),
  ...pageParser,
}

/** How a list looks: the URL first, then what this viewer chose before, then the usual. */
export type View = {
  columns: ColumnName[]
  /** Whether these are the usual columns, of which narrow tables show the first ones only. */
  isUsual: boolean
  density: Density
  sort: OrderName
  choose: (to: { columns?: ColumnName[] | null; density?: Density }) => void
  order: (by: OrderName) => void
}

/** The columns, the density and the order of a reader's list. */
export function useView(reader: ReaderName): View {
  const [named, setNamed] = useQueryStates(parsers, { history: 'replace' })
  const [remembered, setRemembered] = useRemembered(`list-${reader}`)
  const stored = readStored(remembered)
  const possible = columnsFor(reader)
  const chosen = named.columns ?? stored.columns ?? null
  const columns = (chosen ?? usualColumns(reader)).filter((one) => possible.includes(one))
  const density = named.density ?? stored.density ?? 'comfortable'
  return {
    // The time opens a row, so it is always there.
    columns: columnNames.filter((one) => one === 'time' || columns.includes(one)),
    isUsual: chosen === null,
    density,
    sort: named.sort ?? 'newest',
    choose: (to) => {
      const next = { ...stored, ...to }
      const { columns: kept, ...others } = next
      setRemembered(JSON.stringify(kept ? { ...others, columns: kept } : others))
      void setNamed(to)
    },
    order: (by) => void setNamed({ sort: by === 'newest' ? null : by, page: null }),
  }
}

type Stored = { columns?: ColumnName[] | null; density?: Density }

const isColumn = (name: unknown): name is ColumnName => columnNames.some((known) => known === name)

// Written by an earlier version, or by hand: what is not known is ignored.
function readStored(text: string | null): Stored {
  if (text === null) return {}
  const { columns, density } = parsed(text)
  const known = densities.find((one) => one === density)
  return { ...(Array.isArray(columns) ? { columns: columns.filter(isColumn) } : {}), ...(known ? { density: known } : {}) }
}

function parsed(text: string): { columns?: unknown; density?: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
