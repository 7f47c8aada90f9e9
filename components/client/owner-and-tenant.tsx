'use client'

import { later } from '../ui/later'
import { ChoicePill } from '../ui/pill'
import { shortened } from '../ui/shortened'
import { uuidOf } from './filter-parsers'

type Named = { owner?: string; tenant?: string }
type Change = (to: { owner: string | null; tenant: string | null }, options: { history: 'replace' }) => unknown
type Props = { filter: Named; change: Change }

// A step back leads to before the first key.
const TYPED = { history: 'replace' } as const

const load = () => import('./owner-field').then((loaded) => loaded.OwnerField)
// Loaded when it first opens.
const OwnerField = later(load)

/** What a written owner or tenant filters by: a UUID is a tenant, except after "owner:". */
export function ownerOrTenant(text: string): { owner: string | null; tenant: string | null } {
  const owner = text.replace(/^owner:\s*/i, '')
  const tenant = owner === text ? uuidOf(text) : null
  if (tenant !== null) return { owner: null, tenant }
  return { owner: owner || null, tenant: null }
}

/** How the field writes a filter. */
function writtenAs({ owner = '', tenant }: Named): string {
  if (tenant) return tenant
  return ownerOrTenant(owner).tenant === null ? owner : `owner:${owner}`
}

/** Filters by owner or tenant, for administrators. */
export function OwnerAndTenant({ filter, change }: Props) {
  const applied = writtenAs(filter)
  const apply = (written: string) => change(ownerOrTenant(written), TYPED)
  const text = filter.tenant ? shortened(filter.tenant) : filter.owner ? shortened(filter.owner) : null
  return (
    <ChoicePill label={filter.tenant ? 'Tenant' : 'Owner'} text={text} onClear={() => apply('')} onNear={load}>
      {(button, close) => <OwnerField button={button} applied={applied} onApply={apply} onClose={close} />}
    </ChoicePill>
  )
}
