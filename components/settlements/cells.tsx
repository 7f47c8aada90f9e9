import Link from 'next/link'
import type { ReactNode } from 'react'
import type { Shown } from '@/server/history/present'
import { Badge } from '../ui/badge'
import { cx } from '../ui/class-names'
import { Copyable, shortened } from '../ui/copyable'
import { ResourceName } from '../ui/resource-name'
import type { ColumnName } from './columns'
import { titleOf } from './explorer'
import { Linked } from './linked'

/** The cells of a settlement, but for its time, which opens it, and its amount, which aligns with the others. */
export const cells: Record<Exclude<ColumnName, 'time' | 'amount'>, (row: Shown) => ReactNode> = {
  outcome: (row) => <Outcome row={row} />,
  network: (row) => titleOf(row.network),
  payer: (row) => (row.payer ? <Copyable text={row.payer} label="payer" /> : <None />),
  payTo: (row) => <Copyable text={row.payTo} label="recipient" />,
  resource: (row) => (row.resource ? <ResourceName url={row.resource} /> : <None />),
  reason: (row) => (row.errorReason ? <span title={row.errorReason}>{row.reasonTitle}</span> : <None />),
  key: (row) => keyOf(row),
  owner: (row) => <Owner row={row} />,
  transaction: (row) =>
    row.txHash ? <Linked network={row.network} transaction={row.txHash} label="transaction" /> : <NoTransaction row={row} />,
  id: (row) => <Copyable text={row.settlementId ?? row.id} label="settlement ID" />,
}

/** The classes of a column's cells. */
export const widths: Partial<Record<ColumnName, string>> = {
  amount: 'text-right font-medium tabular-nums',
  network: 'whitespace-nowrap',
  // It takes the room that the others leave.
  resource: 'w-full max-w-0 min-w-44',
  reason: 'max-w-48 truncate',
  key: 'max-w-40 min-w-28 truncate',
  owner: 'max-w-44 min-w-32',
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
function Owner({ row }: { row: Shown }) {
  const { owner, tenantId } = row
  return (
    <span className="grid leading-tight whitespace-nowrap">
      {!owner ? (
        <None />
      ) : owner.kind === 'system' ? (
        <span>Operator</span>
      ) : (
        <Link
          href={`?owner=${encodeURIComponent(owner.id)}`}
          title={`Settlements of ${owner.id}`}
          className={cx(LINK, 'text-ink')}
        >
          {shortened(owner.id)}
        </Link>
      )}
      <Link href={`?tenant=${tenantId}`} title={`Settlements of tenant ${tenantId}`} className={cx(LINK, 'text-xs text-soft')}>
        {keyOf(row)}
      </Link>
    </span>
  )
}

const LINK = 'truncate no-underline hover:underline'

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
