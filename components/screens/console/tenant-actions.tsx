import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { MoreHorizontal } from 'lucide-react'
import Link from 'next/link'
import { useRef, useState } from 'react'
import { keyNameAmong } from '@/server/accounts/key-name'
import { soldPlans } from '@/server/accounts/plans'
import type { Root } from '@/server/trpc/router'
import { noticeFailure } from '../../client/notice-failure'
import { useTRPC } from '../../client/trpc'
import { ActionsMenu } from '../../ui/actions-menu'
import { titled } from '../../ui/badge'
import { cx } from '../../ui/class-names'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Copyable } from '../../ui/copyable'
import { Choice } from '../../ui/fields'
import { Menu } from '../../ui/menu'

type Change = { title: string; action: string; danger: boolean; why: string; changes: { plan?: Plan; revoked?: boolean } }
type Plan = (typeof soldPlans)[number]

/** Reads again what shows a tenant, after a change of it. */
export function useTenantChange() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const shown = [trpc.admin.tenants.pathFilter(), trpc.admin.tenant.pathFilter(), trpc.admin.changes.pathFilter()]
  const onSuccess = () => Promise.all(shown.map((filter) => queries.invalidateQueries(filter)))
  return useMutation(trpc.admin.changeTenant.mutationOptions({ onSuccess }))
}

export type Tenant = inferRouterOutputs<Root>['admin']['tenants']['tenants'][number]
type Named = Pick<Tenant, 'id' | 'name' | 'plan' | 'revokedAt'>

const ITEM = 'flex min-h-9 w-full items-center rounded-md px-2.5 text-left no-underline hover:bg-code max-md:min-h-10'

/** Everything that an administrator does with a tenant. */
export function Actions({ tenant }: { tenant: Tenant }) {
  const { propose, dialog } = useChanges(tenant)
  const { id, name } = tenant
  const revoked = tenant.revokedAt !== null
  const label = `Actions for ${keyNameAmong({ id, name })}`
  const place = useRef<HTMLDivElement>(null)
  // The menu closes under the dialog, so its button gets the focus that the dialog returns.
  const choose = (change: Change) => {
    place.current?.querySelector('button')?.focus()
    propose(change)
  }
  return (
    <div ref={place} className="ml-auto w-fit">
      <Menu
        icon
        title={label}
        label={
          <>
            <MoreHorizontal aria-hidden className="size-4" />
            <span className="sr-only">{label}</span>
          </>
        }
      >
        <span className="-m-2 grid gap-0.5">
          <Link href={`/console/tenants/${id}`} className={cx(ITEM, 'text-ink')}>
            View tenant
          </Link>
          <Link href={`/console?tenant=${id}`} className={cx(ITEM, 'text-ink')}>
            View on Platform
          </Link>
          <Link href={`/console/history?tenant=${id}`} className={cx(ITEM, 'text-ink')}>
            View history
          </Link>
          <PlanChoice tenant={tenant} onChange={(plan) => choose(planChange(tenant, plan))} />
          <button
            type="button"
            onClick={() => choose(revoked ? RESTORE : REVOKE)}
            className={cx(ITEM, revoked ? 'text-ink' : 'text-bad')}
          >
            {revoked ? 'Restore' : 'Revoke'}
          </button>
          <span className="flex min-h-9 min-w-0 items-center gap-2 px-2.5 text-sm text-soft">
            ID <Copyable text={id} label="tenant ID" />
          </span>
        </span>
      </Menu>
      {dialog}
    </div>
  )
}

/** Revokes a tenant or restores it, on its own page. */
export function StateMenu({ tenant }: { tenant: Named }) {
  const { propose, dialog } = useChanges(tenant)
  const action =
    tenant.revokedAt === null
      ? { name: 'Revoke', run: () => propose(REVOKE), danger: true }
      : { name: 'Restore', run: () => propose(RESTORE) }
  return (
    <>
      <ActionsMenu title={keyNameAmong(tenant)} actions={[action]} />
      {dialog}
    </>
  )
}

/** Opens a confirmation dialog and applies the confirmed change. */
function useChanges(tenant: Named) {
  const change = useTenantChange()
  const [pending, setPending] = useState<Change | null>(null)
  const dialog = (
    <ConfirmDialog
      open={pending !== null}
      title={pending?.title ?? ''}
      action={pending?.action ?? ''}
      danger={pending?.danger ?? false}
      onClose={() => setPending(null)}
      onConfirm={() => {
        const done = { onError: noticeFailure, onSettled: () => setPending(null) }
        change.mutate({ id: tenant.id, ...pending?.changes }, done)
      }}
    >
      {pending?.why}
    </ConfirmDialog>
  )
  return { propose: setPending, dialog }
}

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

function planChange({ plan: from }: Named, plan: Plan): Change {
  return {
    title: `Change plan from ${titled(from)} to ${titled(plan)}?`,
    action: `Change to ${titled(plan)}`,
    danger: false,
    why: 'The new limits apply from the next payment. Usage of this month still counts.',
    changes: { plan },
  }
}

// Agents buy their plan, so administrators cannot change it.
function PlanChoice({ tenant, onChange }: { tenant: Named; onChange: (plan: Plan) => void }) {
  if (!soldPlans.some((plan) => plan === tenant.plan)) return null
  return (
    <span className="flex min-h-10 items-center justify-between gap-2 px-2.5">
      Plan
      <Choice
        label={`Plan of ${keyNameAmong(tenant)}`}
        value={tenant.plan}
        options={soldPlans.map((plan) => [plan, titled(plan)] as const)}
        onChange={({ target }) => {
          const plan = soldPlans.find((one) => one === target.value)
          if (plan && plan !== tenant.plan) onChange(plan)
        }}
      />
    </span>
  )
}
