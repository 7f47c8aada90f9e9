import { quotaOf } from '../accounts/own-keys'
import { presentListedTenant } from '../accounts/present'
import { pageOfTenants } from '../accounts/tenants'
import type { App } from '../app'
import { readSettled } from './queries'

const PAGE = 50
const SETTLED_DAYS = 30

/** A page of tenants for operators, newest first: each with its quota of the month (null: prepaid) and what it settled in 30 days. */
export async function listedTenants(app: App, asked: { search: string | null; cursor: string | null }) {
  const { tenants, hasMore } = await pageOfTenants(app, { ...asked, limit: PAGE, owner: null })
  const [settled, quotas] = await Promise.all([
    readSettled(
      app.sums,
      tenants.map(({ id }) => id),
      SETTLED_DAYS,
    ),
    Promise.all(tenants.map((tenant) => (tenant.plan === 'agent' ? null : quotaOf(app, tenant)))),
  ])
  return {
    tenants: tenants.map((tenant, at) => {
      const quota = quotas[at] ?? null
      return {
        ...presentListedTenant(tenant),
        quota: quota && { used: quota.limit - quota.settlementsLeft, limit: quota.limit },
        settled: settled.get(tenant.id) ?? 0,
      }
    }),
    cursor: hasMore ? (tenants.at(-1)?.id ?? null) : null,
  }
}
