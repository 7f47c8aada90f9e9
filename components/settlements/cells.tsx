import Link from 'next/link'
import type { ReactNode } from 'react'
import type { Shown } from '@/server/history/present'
import { Badge } from '../ui/badge'
import { Copyable, shortened } from '../ui/copyable'
import { usdc } from '../ui/figures'
import type { ColumnName } from './columns'
import { titleOf, withoutScheme } from './explorer'
import { Linked } from './linked'

/** The cells of a settlement, but for its time. */
export const cells: Record<Exclude<ColumnName, 'time'>, (row: Shown) => ReactNode> = {
  outcome: (row) => <Outcome row={row} />,
  amount: (row) => usdc(row.amount),
  network: (row) => titleOf(row.network),
  payer: (row) => (row.payer ? <Copyable text={row.payer} label="payer" /> : <None />),
  payTo: (row) => <Copyable text={row.payTo} label="recipient" />,
  resource: (row) => (row.resource ? <span title={row.resource}>{withoutScheme(row.resource)}</span> : <None />),
  reason: (row) => (row.errorReason ? <span title={row.errorReason}>{row.reasonTitle}</span> : <None />),
  key: (row) => keyOf(row),
  owner: (row) => <Owner row={row} />,
  tenant: (row) => (
    <Link href={`?tenant=${row.tenantId}`} title={`Settlements of tenant ${row.tenantId}`}>
      {keyOf(row)}
    </Link>
  ),
  transaction: (row) =>
    row.txHash ? <Linked network={row.network} transaction={row.txHash} label="transaction" /> : <NoTransaction row={row} />,
  id: (row) => <Copyable text={row.settlementId ?? row.id} label="settlement ID" />,
}

/** The classes of a column's cells. */
export const widths: Partial<Record<ColumnName, string>> = {
  amount: 'text-right font-medium tabular-nums',
  network: 'whitespace-nowrap',
  resource: 'max-w-56 truncate',
  reason: 'max-w-48 truncate',
  key: 'max-w-32 truncate',
  owner: 'max-w-32 truncate',
  tenant: 'max-w-32 truncate',
}

/** The name of the key that settled it, or the beginning of its id. */
export function keyOf({ keyName, tenantId }: Pick<Shown, 'keyName' | 'tenantId'>): string {
  return keyName || tenantId.slice(0, 8)
}

/** The outcome of a payment. */
export function Outcome({ row }: { row: Pick<Shown, 'success' | 'reasonTitle'> }) {
  if (row.success) return <Badge tone="good">Settled</Badge>
  return (
    <span title={row.reasonTitle ?? ''}>
      <Badge tone="bad">Failed</Badge>
    </span>
  )
}

// The operator's own tenants have no owner to filter by.
function Owner({ row: { owner } }: { row: Shown }) {
  if (!owner) return <None />
  if (owner.kind === 'system') return <span className="text-soft">Operator</span>
  return (
    <Link href={`?owner=${encodeURIComponent(owner.id)}`} title={`Settlements of ${owner.id}`}>
      {shortened(owner.id)}
    </Link>
  )
}

// Without a transaction, its place says why.
function NoTransaction({ row: { reasonTitle } }: { row: Shown }) {
  if (!reasonTitle) return <None />
  return (
    <span title={reasonTitle} className="block max-w-48 truncate text-soft">
      {reasonTitle}
    </span>
  )
}

const None = () => <span className="text-soft">–</span>
