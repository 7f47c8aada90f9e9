'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import Link from 'next/link'
import { useState } from 'react'
import { soldPlans } from '@/server/accounts/plans'
import type { Root } from '@/server/trpc/router'
import { useTRPC } from '../data/trpc'
import { ConfirmDialog } from '../merchant/confirm-dialog'
import { Badge } from '../ui/badge'
import { Button } from '../ui/button'
import { Copyable, shortened } from '../ui/copyable'
import { Choice } from '../ui/fields'
import { notice } from '../ui/notice'
import { ColumnTime, Time } from '../ui/time'

type Change = { title: string; action: string; danger: boolean; why: string; changes: { plan?: Plan; revoked?: boolean } }
type Plan = (typeof soldPlans)[number]

export type Tenant = inferRouterOutputs<Root>['admin']['tenants']['tenants'][number]

type Props = { tenant: Tenant; onOwner: (owner: string) => unknown }

/** A tenant with the actions of an administrator. */
export function TenantRow({ tenant, onOwner }: Props) {
  const { propose, dialog } = useChanges(tenant)
  return (
    <tr className="h-13 border-0 border-b border-solid border-line last:border-b-0">
      <td className="max-w-56 pl-4">
        <Owner tenant={tenant} onOwner={onOwner} />
      </td>
      <td className="max-w-48 px-3">
        <Name tenant={tenant} />
      </td>
      <td className="px-3">
        <PlanChoice tenant={tenant} onChange={(plan) => propose(planChange(tenant, plan))} />
      </td>
      <td className="px-3">
        <ColumnTime at={tenant.createdAt} />
      </td>
      <td className="px-3">
        {tenant.lastUsedAt ? <ColumnTime at={tenant.lastUsedAt} /> : <span className="text-soft">Never</span>}
      </td>
      <td className="px-3">
        <State tenant={tenant} />
      </td>
      <td className="pr-4 pl-3 text-right">
        <Access tenant={tenant} propose={propose} />
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
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <Name tenant={tenant} />
        </div>
        <State tenant={tenant} />
      </div>
      <div className="flex items-end justify-between gap-3 text-[0.8125rem]">
        <div className="min-w-0">
          <Owner tenant={tenant} onOwner={onOwner} />
        </div>
        <span className="text-right text-soft">
          created <Time at={tenant.createdAt} />
          <span className="block">
            {tenant.lastUsedAt ? (
              <>
                last used <Time at={tenant.lastUsedAt} />
              </>
            ) : (
              'never used'
            )}
          </span>
        </span>
      </div>
      <div className="flex items-center justify-between gap-3">
        <PlanChoice tenant={tenant} onChange={(plan) => propose(planChange(tenant, plan))} />
        <Access tenant={tenant} propose={propose} />
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
      <button type="button" onClick={() => onOwner(ownerId)} title={ownerId} className="hover:underline">
        {shortened(ownerId)}
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

function State({ tenant }: { tenant: Tenant }) {
  return tenant.revokedAt === null ? <Badge tone="good">Active</Badge> : <Badge tone="bad">Revoked</Badge>
}

function Access({ tenant, propose }: { tenant: Tenant; propose: (pending: Change) => void }) {
  const revoked = tenant.revokedAt !== null
  return (
    <Button size="small" look={revoked ? 'plain' : 'quiet'} onClick={() => propose(revoked ? RESTORE : REVOKE)}>
      {revoked ? 'Restore' : 'Revoke'}
    </Button>
  )
}

const KINDS: Record<string, string> = { oidc: 'merchant', wallet: 'agent' }

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
    title: `Change plan from ${from} to ${plan}?`,
    action: `Change to ${plan}`,
    danger: false,
    why: 'The new limits apply from the next payment. Usage of this month still counts.',
    changes: { plan },
  }
}

// Agents buy their plan, so administrators cannot change it.
function PlanChoice({ tenant, onChange }: { tenant: Tenant; onChange: (plan: Plan) => void }) {
  if (!soldPlans.some((plan) => plan === tenant.plan)) return <Badge>{tenant.plan}</Badge>
  return (
    <Choice
      label={`Plan of ${tenant.name || tenant.id}`}
      value={tenant.plan}
      options={soldPlans.map((plan) => [plan, plan] as const)}
      onChange={({ target }) => {
        const plan = soldPlans.find((one) => one === target.value)
        if (plan && plan !== tenant.plan) onChange(plan)
      }}
    />
  )
}
