'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import Link from 'next/link'
import { useState } from 'react'
import { toast } from 'sonner'
import { soldPlans } from '@/server/services/plans'
import { useTRPC } from '../data/trpc'
import { ConfirmDialog } from '../merchant/confirm-dialog'
import { Badge } from '../ui/badge'
import { Button } from '../ui/button'
import { Copyable, shortened } from '../ui/copyable'
import { Choice } from '../ui/fields'
import { Time } from '../ui/time'
import type { Tenant } from './tenants'

type Asked = { title: string; action: string; danger: boolean; why: string; changes: { plan?: Plan; revoked?: boolean } }
type Plan = (typeof soldPlans)[number]

/** A tenant with what an administrator may do to it, each asked once more. */
export function TenantRow({ tenant, onOwner }: { tenant: Tenant; onOwner: (owner: string) => unknown }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries(trpc.admin.tenants.pathFilter())
  const change = useMutation(trpc.admin.changeTenant.mutationOptions({ onSuccess }))
  const [asked, ask] = useState<Asked | null>(null)
  const revoked = tenant.revokedAt !== null
  return (
    <tr className="h-13 border-0 border-b border-solid border-line last:border-b-0">
      <td className="max-w-56 pl-4">
        <button type="button" onClick={() => onOwner(tenant.ownerId)} title={tenant.ownerId} className="hover:underline">
          {shortened(tenant.ownerId)}
        </button>
        <span className="block text-xs text-soft">{KINDS[tenant.ownerKind] ?? tenant.ownerKind}</span>
      </td>
      <td className="max-w-48 px-3">
        <Link
          href={`/console?tenant=${tenant.id}`}
          className="block truncate text-ink no-underline hover:text-accent hover:underline"
          title={tenant.name}
        >
          {tenant.name || 'No name'}
        </Link>
        <Copyable text={tenant.id} shown={tenant.id.slice(-8)} label="tenant" />
      </td>
      <td className="px-3">
        <PlanChoice tenant={tenant} onChange={(plan) => ask(planChange(tenant, plan))} />
      </td>
      <td className="px-3">
        <Time at={tenant.createdAt} />
      </td>
      <td className="px-3">{tenant.lastUsedAt ? <Time at={tenant.lastUsedAt} /> : <span className="text-soft">never</span>}</td>
      <td className="px-3">{revoked ? <Badge tone="bad">revoked</Badge> : <Badge tone="good">live</Badge>}</td>
      <td className="pr-4 pl-3 text-right">
        <Button size="small" look={revoked ? 'plain' : 'danger'} onClick={() => ask(revoked ? RESTORE : REVOKE)}>
          {revoked ? 'Restore' : 'Revoke'}
        </Button>
        <ConfirmDialog
          open={asked !== null}
          title={asked?.title ?? ''}
          action={asked?.action ?? ''}
          danger={asked?.danger ?? false}
          onClose={() => ask(null)}
          onConfirm={() => {
            const done = { onError: ({ message }: { message: string }) => toast.error(message), onSettled: () => ask(null) }
            change.mutate({ id: tenant.id, ...asked?.changes }, done)
          }}
        >
          {asked?.why}
        </ConfirmDialog>
      </td>
    </tr>
  )
}

const KINDS: Record<string, string> = { oidc: 'merchant', wallet: 'agent' }

const REVOKE: Asked = {
  title: 'Revoke this tenant',
  action: 'Revoke it',
  danger: true,
  why: 'All its keys are refused from their next payment on. It can be restored.',
  changes: { revoked: true },
}

const RESTORE: Asked = {
  title: 'Restore this tenant',
  action: 'Restore it',
  danger: false,
  why: 'The keys that it had when it was revoked work again.',
  changes: { revoked: false },
}

function planChange({ plan: from }: Tenant, plan: Plan): Asked {
  return {
    title: `From ${from} to ${plan}`,
    action: `Make it ${plan}`,
    danger: false,
    why: 'The limits of the new plan hold from its next payment on; what it used this month stays used.',
    changes: { plan },
  }
}

// An agent's plan is what it bought, and nobody's to give.
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
