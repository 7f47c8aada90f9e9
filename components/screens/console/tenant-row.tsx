'use client'

import Link from 'next/link'
import { isLow } from '../../client/credit-price-text'
import { ColumnTime, Day } from '../../client/time'
import { Badge } from '../../ui/badge'
import { Copyable, shortened } from '../../ui/copyable'
import { Hint } from '../../ui/hint'
import { later } from '../../ui/later'
import { Meter } from '../../ui/meter'
import type { Tenant } from './tenant-actions'

// Loaded after the page, to keep its first load small.
const Actions = later(
  () => import('./tenant-actions').then((loaded) => loaded.Actions),
  <span className="block size-9 max-sm:size-10" />,
)

type Props = { tenant: Tenant; onOwner: (owner: string) => unknown }

/** A tenant with the actions of an administrator. */
export function TenantRow({ tenant, onOwner }: Props) {
  return (
    <tr className="h-13 border-b last:border-b-0">
      <td className="pr-2 pl-4">
        <Owner tenant={tenant} onOwner={onOwner} />
      </td>
      <td className="px-2">
        <Name tenant={tenant} />
      </td>
      <td className="px-2 capitalize">{planOf(tenant)}</td>
      <td className="px-2">
        <Quota tenant={tenant} />
      </td>
      <td className="px-2 text-right tabular-nums xl:pr-6">
        <Settled tenant={tenant} />
      </td>
      <td className="px-2 whitespace-nowrap tabular-nums">
        <LastUsed tenant={tenant} />
      </td>
      <td className="px-2 text-sm max-xl:hidden">
        <Day at={tenant.createdAt} />
      </td>
      <td className="px-2">
        <State tenant={tenant} />
      </td>
      <td className="pr-2">
        <Actions tenant={tenant} />
      </td>
    </tr>
  )
}

/** A tenant with the actions of an administrator, for narrow screens. */
export function TenantCard({ tenant, onOwner }: Props) {
  return (
    <li className="grid gap-2.5 border-b px-4 py-3 last:border-b-0">
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
    </li>
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
        className="block h-6 truncate leading-6 text-accent no-underline hover:underline"
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
        <span className="truncate text-sm tabular-nums">
          {left.toLocaleString('en')} <span className="text-soft">of {bought.toLocaleString('en')} left</span>
        </span>
        <Meter label={`Credits left of ${name || id}`} value={left} limit={bought} alarming={isLow(left, bought)} />
      </span>
    )
  }
  const { used, limit } = quota
  return (
    <span className="grid gap-1">
      <span className="truncate text-sm tabular-nums">
        {used.toLocaleString('en')} <span className="text-soft">of {limit.toLocaleString('en')}</span>
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
