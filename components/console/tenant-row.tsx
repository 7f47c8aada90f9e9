'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { MoreHorizontal } from 'lucide-react'
import Link from 'next/link'
import { useRef, useState } from 'react'
import { soldPlans } from '@/server/accounts/plans'
import type { Root } from '@/server/trpc/router'
import { useTRPC } from '../data/trpc'
import { ConfirmDialog } from '../merchant/confirm-dialog'
import { Badge } from '../ui/badge'
import { cx } from '../ui/class-names'
import { Copyable, shortened } from '../ui/copyable'
import { Choice } from '../ui/fields'
import { Menu } from '../ui/menu'
import { Meter } from '../ui/meter'
import { notice } from '../ui/notice'
import { Time } from '../ui/time'

type Change = { title: string; action: string; danger: boolean; why: string; changes: { plan?: Plan; revoked?: boolean } }
type Plan = (typeof soldPlans)[number]

export type Tenant = inferRouterOutputs<Root>['admin']['tenants']['tenants'][number]

type Props = { tenant: Tenant; onOwner: (owner: string) => unknown }

/** A tenant with the actions of an administrator. */
export function TenantRow({ tenant, onOwner }: Props) {
  const { propose, dialog } = useChanges(tenant)
  return (
    <tr className="h-13 border-0 border-b border-solid border-line last:border-b-0">
      <td className="pr-2 pl-4">
        <Owner tenant={tenant} onOwner={onOwner} />
      </td>
      <td className="px-2">
        <Name tenant={tenant} />
      </td>
      <td className="px-2 capitalize">{tenant.plan}</td>
      <td className="px-2">
        <Quota tenant={tenant} />
      </td>
      <td className="px-2 text-right tabular-nums">
        <Settled tenant={tenant} />
      </td>
      <td className="px-2 text-xs whitespace-nowrap">
        <LastUsed tenant={tenant} />
      </td>
      <td className="px-2">
        <State tenant={tenant} />
      </td>
      <td className="pr-2">
        <Actions tenant={tenant} propose={propose} />
        {dialog}
      </td>
    </tr>
  )
}

/** The same for narrow screens. */
export function TenantCard({ tenant, onOwner }: Props) {
  const { propose, dialog } = useChanges(tenant)
  return (
    <li className="grid gap-2.5 border-0 border-b border-solid border-line px-4 py-3 last:border-b-0">
      <div className="grid grid-cols-[minmax(0,1fr)_auto_auto] items-start gap-2">
        <div className="min-w-0">
          <Name tenant={tenant} />
        </div>
        <State tenant={tenant} />
        <Actions tenant={tenant} propose={propose} />
      </div>
      <div className="grid grid-cols-2 items-end gap-x-6 gap-y-2 text-[0.8125rem]">
        <div className="min-w-0">
          <Owner tenant={tenant} onOwner={onOwner} />
        </div>
        <div className="min-w-0">
          <span className="block capitalize">{tenant.plan}</span>
          <Quota tenant={tenant} />
        </div>
        <span className="text-soft tabular-nums">
          <Settled tenant={tenant} /> in 30 days
        </span>
        <span className="text-soft">
          Used <LastUsed tenant={tenant} />
        </span>
      </div>
      {dialog}
    </li>
  )
}

/** Opens a confirmation dialog and applies the confirmed change. */
function useChanges(tenant: Tenant) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries(trpc.admin.tenants.pathFilter())
  const change = useMutation(trpc.admin.changeTenant.mutationOptions({ onSuccess }))
  const [pending, propose] = useState<Change | null>(null)
  const dialog = (
    <ConfirmDialog
      open={pending !== null}
      title={pending?.title ?? ''}
      action={pending?.action ?? ''}
      danger={pending?.danger ?? false}
      onClose={() => propose(null)}
      onConfirm={() => {
        const done = { onError: ({ message }: { message: string }) => notice.error(message), onSettled: () => propose(null) }
        change.mutate({ id: tenant.id, ...pending?.changes }, done)
      }}
    >
      {pending?.why}
    </ConfirmDialog>
  )
  return { propose, dialog }
}

function Owner({ tenant: { ownerId, ownerKind }, onOwner }: Props) {
  return (
    <>
      <button
        type="button"
        onClick={() => onOwner(ownerId)}
        title={`All tenants of ${ownerId}`}
        className="block min-h-6 max-w-full truncate text-left hover:underline"
      >
        {ownerKind === 'wallet' ? shortened(ownerId) : ownerId}
      </button>
      <span className="block text-xs text-soft">{KINDS[ownerKind] ?? ownerKind}</span>
    </>
  )
}

function Name({ tenant: { id, name } }: { tenant: Tenant }) {
  return (
    <>
      <Link href={`/console?tenant=${id}`} className="block truncate text-accent no-underline hover:underline" title={name}>
        {name || 'Unnamed'}
      </Link>
      <Copyable text={id} shown={id.slice(-8)} label="tenant" />
    </>
  )
}

/** The month's settlements; agents have credits instead. */
function Quota({ tenant: { quota, name, id } }: { tenant: Tenant }) {
  if (!quota) return <span className="text-soft">Prepaid credits</span>
  const { used, limit } = quota
  return (
    <span className="grid gap-1">
      <span className="truncate text-xs tabular-nums">
        {used.toLocaleString('en')} <span className="text-soft">of {limit.toLocaleString('en')}</span>
      </span>
      <Meter label={`Quota of ${name || id}`} used={used} limit={limit} />
    </span>
  )
}

function Settled({ tenant: { settled, historyEnabled } }: { tenant: Tenant }) {
  if (!historyEnabled) return <span title="Its history is off, so it has no figures.">–</span>
  return settled.toLocaleString('en')
}

function LastUsed({ tenant: { lastUsedAt } }: { tenant: Tenant }) {
  return lastUsedAt ? <Time at={lastUsedAt} /> : <span className="text-soft">Never</span>
}

function State({ tenant }: { tenant: Tenant }) {
  return tenant.revokedAt === null ? <Badge tone="good">Active</Badge> : <Badge tone="bad">Revoked</Badge>
}

const ITEM = 'flex min-h-9 w-full items-center rounded-md px-2.5 text-left text-ink no-underline hover:bg-code max-md:min-h-10'

/** Everything that an administrator does with a tenant. */
function Actions({ tenant, propose }: { tenant: Tenant; propose: (pending: Change) => void }) {
  const { id, name, createdAt } = tenant
  const revoked = tenant.revokedAt !== null
  const label = `Actions for ${name || id}`
  const place = useRef<HTMLDivElement>(null)
  // The menu closes under the dialog, so its button gets the focus that the dialog returns.
  const choose = (change: Change) => {
    place.current?.querySelector('button')?.focus()
    propose(change)
  }
  return (
    <div ref={place} className="ml-auto w-fit">
      <Menu
        title={label}
        label={
          <>
            <MoreHorizontal aria-hidden className="size-4" />
            <span className="sr-only">{label}</span>
          </>
        }
      >
        <span className="-m-2 grid gap-0.5">
          <Link href={`/console?tenant=${id}`} className={ITEM}>
            View figures
          </Link>
          <Link href={`/console/history?tenant=${id}`} className={ITEM}>
            View history
          </Link>
          <PlanChoice tenant={tenant} onChange={(plan) => choose(planChange(tenant, plan))} />
          <button type="button" onClick={() => choose(revoked ? RESTORE : REVOKE)} className={cx(ITEM, !revoked && 'text-bad')}>
            {revoked ? 'Restore' : 'Revoke'}
          </button>
          <span className="px-2.5 pt-1.5 text-xs text-soft">
            Created <Time at={createdAt} />
          </span>
        </span>
      </Menu>
    </div>
  )
}

const KINDS: Record<string, string> = { oidc: 'Merchant', wallet: 'Agent' }

const REVOKE: Change = {
  title: 'Revoke this tenant?',
  action: 'Revoke tenant',
  danger: true,
  why: 'All its keys stop working at once. You can restore it later.',
  changes: { revoked: true },
}

const RESTORE: Change = {
  title: 'Restore this tenant?',
  action: 'Restore tenant',
  danger: false,
  why: 'The keys that it had before work again.',
  changes: { revoked: false },
}

function planChange({ plan: from }: Tenant, plan: Plan): Change {
  return {
    title: `Change plan from ${capitalised(from)} to ${capitalised(plan)}?`,
    action: `Change to ${capitalised(plan)}`,
    danger: false,
    why: 'The new limits apply from the next payment. Usage of this month still counts.',
    changes: { plan },
  }
}

// Agents buy their plan, so administrators cannot change it.
function PlanChoice({ tenant, onChange }: { tenant: Tenant; onChange: (plan: Plan) => void }) {
  if (!soldPlans.some((plan) => plan === tenant.plan)) return null
  return (
    <span className="flex min-h-10 items-center justify-between gap-2 px-2.5">
      Plan
      <Choice
        label={`Plan of ${tenant.name || tenant.id}`}
        value={tenant.plan}
        options={soldPlans.map((plan) => [plan, capitalised(plan)] as const)}
        onChange={({ target }) => {
          const plan = soldPlans.find((one) => one === target.value)
          if (plan && plan !== tenant.plan) onChange(plan)
        }}
      />
    </span>
  )
}

const capitalised = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
