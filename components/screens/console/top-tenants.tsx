'use client'

import { useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import type { Token } from '@/server/x402/networks/assets'
import { Name } from '../../client/analytics/line-list'
import { Ranked } from '../../client/analytics/ranked'
import type { Lists } from '../../client/analytics/view'
import { shortened } from '../../ui/copyable'

/** The tenants that lead in a period. Each opens its own figures. */
export function TopTenants({ tenants, token }: { tenants: Lists['tenants'] | undefined; token: Token }) {
  const here = useSearchParams()
  const urlOf = (tenant: string) => `/console?${new URLSearchParams([...here, ['tenant', tenant]])}`
  const rows = tenants?.map(({ tenantId, name, ownerKind, owner, count, good, volume }) => ({
    key: tenantId,
    note: noteOf(ownerKind, owner),
    count,
    good,
    volume,
    name: <Name href={urlOf(tenantId)} text={name || tenantId} />,
  }))
  return <Ranked what="Top tenants" first="Tenant" rows={rows} token={token} empty="No tenants." />
}

// As in the history: the operator's own tenants have no owner to name.
function noteOf(kind: string, owner: string): ReactNode {
  if (kind === 'system') return 'Operator'
  if (kind !== 'wallet') return owner
  return (
    <span title={owner} className="font-mono text-xs">
      {shortened(owner)}
    </span>
  )
}
