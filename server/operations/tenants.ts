import { creditsLeft } from '../accounts/metering'
import { quotaOf } from '../accounts/own-keys'
import { presentListedTenant } from '../accounts/present'
import { pageOfTenants } from '../accounts/tenants'
import type { App } from '../app'
import { sumCredits } from '../ledger/statements/credits'
import { countSettled } from '../sums/key-activity-queries'

const PAGE = 50
const SETTLED_DAYS = 30

/** A page of tenants for operators, newest first: each with its quota of the month or its owner's credits, and what it settled in 30 days. */
export async function listedTenants(app: App, asked: { search: string | null; cursor: string | null }) {
  const { tenants, hasMore } = await pageOfTenants(app, { ...asked, limit: PAGE, owner: null })
  const wallets = tenants.flatMap(({ ownerKind, ownerId }) => (ownerKind === 'wallet' ? [ownerId] : []))
  const [settled, quotas, credits] = await Promise.all([
    countSettled(
      app.sums,
      tenants.map(({ id }) => id),
      SETTLED_DAYS,
    ),
    Promise.all(tenants.map((tenant) => (tenant.plan === 'agent' ? null : quotaOf(app, tenant)))),
    sumCredits(app.db, wallets),
  ])
  return {
    tenants: tenants.map((tenant, at) => {
      const quota = quotas[at] ?? null
      const account = tenant.plan === 'agent' ? credits.get(tenant.ownerId) : undefined
      return {
        ...presentListedTenant(tenant),
        quota: quota && { used: quota.limit - quota.settlementsLeft, limit: quota.limit },
        credits: account ? { left: creditsLeft(account), bought: account.purchased } : null,
        settled: settled.get(tenant.id) ?? 0,
      }
    }),
    cursor: hasMore ? (tenants.at(-1)?.id ?? null) : null,
  }
}
