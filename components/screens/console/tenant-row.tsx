'use client'

import Link from 'next/link'
import { isLow } from '../../client/credit-price-text'
import { ColumnTime, Day } from '../../client/time'
import { Badge } from '../../ui/badge'
import { cx } from '../../ui/class-names'
import { Copyable, shortened } from '../../ui/copyable'
import { Hint } from '../../ui/hint'
import { later } from '../../ui/later'
import { Meter } from '../../ui/meter'
import type { Column } from '../../ui/table'
import type { Tenant } from './tenant-actions'

// Loaded after the page, to keep its first load small.
const Actions = later(
  () => import('./tenant-actions').then((loaded) => loaded.Actions),
  <span className="block size-9 max-sm:size-10" />,
)

type Props = { tenant: Tenant; onOwner: (owner: string) => unknown }

/** The columns of tenants. Their widths are fixed, so that the table fits next to the navigation. */
export function tenantColumns(zone: string, onOwner: Props['onOwner']): Column<Tenant>[] {
  return [
    {
      title: 'Owner',
      head: <Hint text="A subject of the identity provider, or a wallet">Owner</Hint>,
      cell: (tenant) => <Owner tenant={tenant} onOwner={onOwner} />,
      headClass: 'w-[20%] xl:w-[15%]',
    },
    { title: 'Key', cell: (tenant) => <Name tenant={tenant} />, headClass: 'w-[19%] xl:w-[18%]' },
    { title: 'Plan', cell: planOf, headClass: 'w-[10%] xl:w-[7%]', cellClass: 'capitalize' },
    {
      title: 'This month',
      head: <Hint text="Settlements of the monthly quota, shared by keys of one owner and plan; or credits">This month</Hint>,
      cell: (tenant) => <Quota tenant={tenant} />,
      headClass: 'w-[18%] xl:w-[13%]',
    },
    {
      title: SETTLED,
      head: <Hint text="Successful settlements in 30 UTC days; of today at most 1,000 are counted">{SETTLED}</Hint>,
      cell: (tenant) => <Settled tenant={tenant} />,
      headClass: cx(FIGURE, 'w-[13%] xl:w-[12%]'),
      cellClass: cx(FIGURE, 'tabular-nums'),
    },
    {
      title: 'Last used',
      head: `Last used (${zone})`,
      cell: (tenant) => <LastUsed tenant={tenant} />,
      headClass: 'w-[14%] max-xl:hidden',
      cellClass: 'whitespace-nowrap tabular-nums max-xl:hidden',
    },
    {
      title: 'Created',
      cell: (tenant) => <Day at={tenant.createdAt} />,
      headClass: 'w-[9%] max-xl:hidden',
      cellClass: 'text-sm max-xl:hidden',
    },
    { title: 'State', cell: (tenant) => <State tenant={tenant} />, headClass: 'w-[12%] xl:w-[8%]' },
    {
      title: 'Actions',
      head: <span className="sr-only">Actions</span>,
      cell: (tenant) => <Actions tenant={tenant} />,
      cellClass: 'pl-0',
    },
  ]
}

const SETTLED = 'Settled, 30\u00a0days'
const FIGURE = 'text-right xl:pr-6'

/** A tenant with the actions of an administrator, for narrow screens. */
export function TenantCard({ tenant, onOwner }: Props) {
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_auto_auto] items-start gap-2">
        <div className="min-w-0">
          <Name tenant={tenant} />
        </div>
        <span className="flex h-6 items-center">
          <State tenant={tenant} />
        </span>
        <div className="-my-2 -mr-2">
          <Actions tenant={tenant} />
        </div>
      </div>
      <div className="grid grid-cols-2 items-start gap-x-6 text-sm">
        <div className="min-w-0">
          <Owner tenant={tenant} onOwner={onOwner} />
        </div>
        <div className="min-w-0">
          <span className="block leading-6 capitalize">{planOf(tenant)}</span>
          <Quota tenant={tenant} />
        </div>
      </div>
      <div className="flex flex-wrap justify-between gap-x-4 text-sm text-soft tabular-nums">
        <span>
          <Settled tenant={tenant} /> settled in 30 days
        </span>
        <span>
          Used <LastUsed tenant={tenant} />
        </span>
        <span>
          Created <Day at={tenant.createdAt} />
        </span>
      </div>
    </>
  )
}

function Owner({ tenant: { ownerId, ownerKind }, onOwner }: Props) {
  return (
    <>
      <button
        type="button"
        onClick={() => onOwner(ownerId)}
        title={`All tenants of ${ownerId}`}
        className="block h-6 max-w-full truncate text-left leading-6 hover:underline"
      >
        {ownerKind === 'wallet' ? shortened(ownerId) : ownerId}
      </button>
      <span className="block h-6 text-xs leading-6 text-soft">{KINDS[ownerKind] ?? ownerKind}</span>
    </>
  )
}

function Name({ tenant: { id, name } }: { tenant: Tenant }) {
  return (
    <>
      <Link
        href={`/console?tenant=${id}`}
        className="block h-6 w-fit max-w-full truncate leading-6 text-accent no-underline hover:underline"
        title={name}
      >
        {name || 'Unnamed'}
      </Link>
      <span className="flex h-6 items-center">
        <Copyable text={id} shown={id.slice(-8)} label="tenant" />
      </span>
    </>
  )
}

/** The month's settlements; agents have credits instead. */
function Quota({ tenant: { quota, credits, name, id } }: { tenant: Tenant }) {
  if (!quota) {
    if (!credits) return <span className="block text-sm leading-6 text-soft">No credits</span>
    const { left, bought } = credits
    return (
      <span className="grid gap-1" title="Credits left, live and test together">
        <span className="text-sm tabular-nums">
          {left.toLocaleString('en')} <span className="inline-block text-soft">of {bought.toLocaleString('en')} left</span>
        </span>
        <Meter label={`Credits left of ${name || id}`} value={left} limit={bought} alarming={isLow(left, bought)} />
      </span>
    )
  }
  const { used, limit } = quota
  return (
    <span className="grid gap-1">
      <span className="text-sm tabular-nums">
        {used.toLocaleString('en')} <span className="inline-block text-soft">of {limit.toLocaleString('en')}</span>
      </span>
      <Meter label={`Quota of ${name || id}`} value={used} limit={limit} alarming={used >= limit} />
    </span>
  )
}

function Settled({ tenant: { settled, historyEnabled } }: { tenant: Tenant }) {
  if (!historyEnabled) return <Hint text="Its history is off, so it has no figures.">–</Hint>
  return settled.toLocaleString('en')
}

function LastUsed({ tenant: { lastUsedAt } }: { tenant: Tenant }) {
  return lastUsedAt ? <ColumnTime at={lastUsedAt} /> : <span className="text-soft">Never</span>
}

function State({ tenant }: { tenant: Tenant }) {
  return tenant.revokedAt === null ? <Badge tone="good">Active</Badge> : <Badge tone="bad">Revoked</Badge>
}

const KINDS: Record<string, string> = { oidc: 'Merchant', wallet: 'Wallet' }

// Agents have credits instead of a plan.
const planOf = ({ plan }: Tenant): string => (plan === 'agent' ? 'Prepaid' : plan)
