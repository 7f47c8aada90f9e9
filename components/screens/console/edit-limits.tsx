'use client'

import type { inferRouterOutputs } from '@trpc/server'
import { useState } from 'react'
import { soldPlans } from '@/server/accounts/plans'
import type { Root } from '@/server/trpc/router'
import { DialogForm } from '../../client/dialog-form'
import { fieldError } from '../../client/errors'
import { titled } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { ChoiceField, TextField } from '../../ui/fields'
import { useTenantChange } from './tenant-actions'

type Details = inferRouterOutputs<Root>['admin']['tenant']

const FIELDS = { rps: 'Requests per second', settlementQuota: 'Settlements a month', verificationQuota: 'Verifications a month' }
const names = ['rps', 'settlementQuota', 'verificationQuota'] as const

type Written = Record<(typeof names)[number], string>

/** A button that opens the plan and the limits of a tenant for editing. */
export function EditLimits({ tenant }: { tenant: Details }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Edit
      </Button>
      {open ? <LimitsDialog tenant={tenant} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function LimitsDialog({ tenant, onClose }: { tenant: Details; onClose: () => void }) {
  const change = useTenantChange()
  const [plan, setPlan] = useState(soldPlans.find((one) => one === tenant.plan))
  const isNewPlan = plan !== tenant.plan
  const [written, setWritten] = useState<Written>({
    rps: tenant.limits.rps?.toString() ?? '',
    settlementQuota: tenant.limits.settlementQuota?.toString() ?? '',
    verificationQuota: tenant.limits.verificationQuota?.toString() ?? '',
  })
  const limits = {
    rps: read(written.rps),
    settlementQuota: read(written.settlementQuota),
    verificationQuota: read(written.verificationQuota),
  }
  const valid = names.every((name) => limits[name] !== undefined)
  return (
    <Dialog
      title="Edit plan and limits"
      open
      onClose={onClose}
      description="Changes apply from the next payment. Usage of this month still counts."
    >
      <DialogForm
        error={change.error}
        fields={names}
        action="Save"
        disabled={change.isPending || !valid}
        onEdit={change.reset}
        onSave={() => change.mutate({ id: tenant.id, ...(plan && isNewPlan ? { plan } : {}), ...limits }, { onSuccess: onClose })}
        onCancel={onClose}
      >
        <ChoiceField
          label="Plan"
          value={plan ?? ''}
          options={soldPlans.map((name) => [name, titled(name)] as const)}
          onChange={({ target }) => setPlan(soldPlans.find((one) => one === target.value))}
        />
        {names.map((name) => (
          <TextField
            key={name}
            label={FIELDS[name]}
            inputMode="numeric"
            value={written[name]}
            onChange={({ target }) => setWritten({ ...written, [name]: target.value })}
            placeholder={isNewPlan ? '' : tenant.ofPlan[name].toString()}
            maxLength={15}
            error={limits[name] === undefined ? 'Enter a whole number, or leave empty.' : fieldError(change.error, name)}
            hint={
              isNewPlan
                ? "Leave empty for the plan's."
                : `Leave empty for the plan's ${tenant.ofPlan[name].toLocaleString('en')}.`
            }
          />
        ))}
      </DialogForm>
    </Dialog>
  )
}

/** A written limit: null if empty, undefined if it is no whole number. */
function read(text: string): number | null | undefined {
  const digits = text.replaceAll(/[\s,]/g, '')
  if (digits === '') return null
  return /^\d+$/.test(digits) ? Number(digits) : undefined
}
