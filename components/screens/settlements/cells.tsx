import Link from 'next/link'
import type { ReactNode } from 'react'
import { keyNameAmong } from '@/server/accounts/key-name'
import type { Shown } from '@/server/history/present'
import { networkTitle } from '@/server/x402/networks/networks'
import { Badge } from '../../ui/badge'
import { cx } from '../../ui/class-names'
import { Copyable } from '../../ui/copyable'
import { Linked } from '../../ui/explorer-link'
import { amountText } from '../../ui/figures'
import { ResourceName } from '../../ui/resource-name'
import { shortened } from '../../ui/shortened'
import type { ColumnName } from './columns'

/** The cells of a settlement, but for its time, which opens it, and its amount, which aligns with the others. */
export const cells: Record<Exclude<ColumnName, 'time' | 'amount'>, (row: Shown, shown: readonly ColumnName[]) => ReactNode> = {
  outcome: (row) => (
    <InRow>
      <Outcome row={row} />
    </InRow>
  ),
  network: (row) => <span title={networkTitle(row.network)}>{networkTitle(row.network)}</span>,
  payer: (row) =>
    row.payer ? (
      <InRow>
        <Copyable text={row.payer} label="payer" />
      </InRow>
    ) : (
      <None />
    ),
  payTo: (row) =>
    row.payToName ? (
      <span title={row.payTo}>{row.payToName}</span>
    ) : (
      <InRow>
        <Copyable text={row.payTo} label="recipient" />
      </InRow>
    ),
  resource: ({ resource, resourceName }) =>
    resource ? <ResourceName url={resource} name={resourceName} stacks="narrow" /> : <None />,
  reason: (row) => (row.errorReason ? <span title={row.errorReason}>{row.reasonTitle}</span> : <None />),
  key: (row) => keyOf(row),
  owner: (row) => <Owner row={row} />,
  transaction: (row, shown) =>
    row.txHash ? (
      <InRow>
        <Linked network={row.network} transaction={row.txHash} label="transaction" />
      </InRow>
    ) : (
      <NoTransaction reason={shown.includes('reason') ? null : row.reasonTitle} roomy={isRoomy(shown)} />
    ),
  id: (row) => (
    <InRow>
      <Copyable text={row.settlementId ?? row.id} label="ID" />
    </InRow>
  ),
}

/** The classes of a column's cells. */
export const widths: Partial<Record<ColumnName, string>> = {
  amount: 'text-right font-medium tabular-nums',
  network: 'max-w-40 truncate',
  // It takes the room that the others leave.
  resource: 'w-full max-w-0 min-w-44 @min-[70rem]:min-w-52',
  reason: 'max-w-64 truncate',
  key: 'max-w-40 min-w-28 truncate xl:max-w-60',
  owner: 'max-w-50 min-w-38',
}

/** Instead of the above where its columns leave so much room that widths may follow the texts. */
export const ROOMY_RESOURCE = 'w-full max-w-0 min-w-44 @min-[70rem]:w-auto @min-[70rem]:max-w-80'

const WIDE: ReadonlySet<ColumnName> = new Set(['key', 'owner', 'reason', 'id'])

/** Whether none of these columns is a wide one. */
export const isRoomy = (shown: readonly ColumnName[]): boolean => !shown.some((name) => WIDE.has(name))

/** The most that a payer signed for. */
export const limitText = (maximum: string, decimals: number): string => `of ${amountText(maximum, decimals)} max`

// The usual columns that a table shows from some width on.
const fromWidths: Partial<Record<ColumnName, string>> = {
  payer: '@max-[52rem]:hidden',
  payTo: '@max-[52rem]:hidden',
  network: '@max-[60rem]:hidden',
  key: '@max-[70rem]:hidden',
  owner: '@max-[60rem]:hidden',
}

/** What hides one of the usual columns in a narrow table, so that the others fit, whole paths included. */
export function hidingOf(name: ColumnName, shown: readonly ColumnName[]): string | undefined {
  return name === 'network' && shown.includes('owner') ? '@max-[70rem]:hidden' : fromWidths[name]
}

/** The name of the key that settled it. */
export function keyOf({ keyName, tenantId }: Pick<Shown, 'keyName' | 'tenantId'>): string {
  return keyNameAmong({ id: tenantId, name: keyName })
}

/** The outcome of a payment. */
export function Outcome({ row }: { row: Pick<Shown, 'success' | 'reasonTitle'> & { pending?: boolean } }) {
  if (row.pending) return <Badge tone="warn">In progress</Badge>
  if (row.success) return <Badge tone="good">Settled</Badge>
  return (
    <span title={row.reasonTitle ?? ''} className="flex">
      <Badge tone="bad">Failed</Badge>
    </span>
  )
}

// The operator's own tenants have no owner to filter by.
function Owner({ row }: { row: Shown }) {
  const { owner, tenantId } = row
  return (
    <span className="grid justify-items-start whitespace-nowrap">
      {!owner ? (
        <span className={FIRST}>
          <None />
        </span>
      ) : owner.kind === 'system' ? (
        <span className={FIRST}>Operator</span>
      ) : (
        <Link
          href={`?owner=${encodeURIComponent(owner.id)}`}
          title={`Settlements of ${owner.id}`}
          className={cx(LINK, FIRST, 'text-ink')}
        >
          {shortened(owner.id)}
        </Link>
      )}
      <Link
        href={`?tenant=${tenantId}`}
        title={`Settlements of tenant ${tenantId}`}
        className={cx(LINK, 'pt-px text-xs leading-4 text-soft')}
      >
        {keyOf(row)}
      </Link>
    </span>
  )
}

// As high as a finger or a pointer needs, with the texts of both lines next to each other.
const LINK = 'block h-6 max-w-full truncate no-underline hover:underline'
const FIRST = 'h-6 pt-1.5 leading-4.5'

// Without a transaction, its place says why.
function NoTransaction({ reason, roomy }: { reason: string | null; roomy: boolean }) {
  if (!reason) return <None />
  return (
    <span title={reason} className={cx('line-clamp-2 max-w-34 text-sm leading-4.5 text-soft', roomy && '@min-[70rem]:max-w-52')}>
      {reason}
    </span>
  )
}

// A box of its own, so that badges and icons stand in the middle of the row and not on the line of its text.
const InRow = ({ children }: { children: ReactNode }) => <span className="flex items-center">{children}</span>

const None = () => <span className="text-soft">–</span>
