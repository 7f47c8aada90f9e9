import type { App } from '../app'
import { readOwner } from '../history/filters'
import { DEFAULT_BODY_LIMIT, readJson } from '../http/bodies'
import { API_HEADERS } from '../http/errors'
import { readPage, writeCursor } from '../http/page'
import { checked, requireUuid } from '../http/request'
import type { Params } from '../payments/endpoints'
import { requireAdmin } from '../sign-in/credentials'
import { displayAddress } from '../x402/addresses'
import { newTenant, rotation, tenantChanges } from './admin-bodies'
import type { TenantRow } from './tenant-queries'
import { pageOfTenants, provision, reconfigure, rotate, tenantOf, type WithSecret } from './tenants'

/** `POST /admin/tenants`: a tenant with its first key, whose secret is in this answer and nowhere else. */
export async function createTenant(app: App, request: Request): Promise<Response> {
  requireAdmin(app, request)
  const made = await provision(app, checked(newTenant, await readJson(request, DEFAULT_BODY_LIMIT)))
  return Response.json(shownWithSecret(made), { status: 201, headers: API_HEADERS })
}

/** `GET /admin/tenants`: newest first. Query: `limit` (1 to 100, 50), `cursor` of the page before, `owner_id`. */
export async function tenants(app: App, request: Request): Promise<Response> {
  requireAdmin(app, request)
  const query = new URL(request.url).searchParams
  const { limit, cursor } = readPage(query)
  const page = await pageOfTenants(app, { limit, cursor, owner: readOwner(query) })
  const last = page.tenants.at(-1)?.id ?? cursor
  const body = { tenants: page.tenants.map(shown), cursor: writeCursor(last), has_more: page.hasMore }
  return Response.json(body, { headers: API_HEADERS })
}

/** `GET /admin/tenants/:id` */
export async function tenant(app: App, request: Request, { id = '' }: Params): Promise<Response> {
  requireAdmin(app, request)
  requireUuid(id, 'tenant')
  return Response.json(shown(await tenantOf(app, id)), { headers: API_HEADERS })
}

/** `PATCH /admin/tenants/:id`: changes what is named, nothing else. */
export async function changeTenant(app: App, request: Request, { id = '' }: Params): Promise<Response> {
  requireAdmin(app, request)
  requireUuid(id, 'tenant')
  const changes = checked(tenantChanges, await readJson(request, DEFAULT_BODY_LIMIT))
  return Response.json(shown(await reconfigure(app, id, changes)), { headers: API_HEADERS })
}

/** `POST /admin/tenants/:id/rotate`: a new key; the earlier ones work for `grace_seconds` more (a day unless told). */
export async function rotateKey(app: App, request: Request, { id = '' }: Params): Promise<Response> {
  requireAdmin(app, request)
  requireUuid(id, 'tenant')
  const { grace_seconds } = checked(rotation, await readJson(request, DEFAULT_BODY_LIMIT, {}))
  return Response.json(shownWithSecret(await rotate(app, id, grace_seconds)), { headers: API_HEADERS })
}

function shownWithSecret({ tenant, key, secret }: WithSecret) {
  return { ...shown(tenant), api_key: secret, prefix: key.prefix }
}

function shown(tenant: TenantRow) {
  return {
    id: tenant.id,
    owner_kind: tenant.ownerKind,
    owner_id: tenant.ownerId,
    plan: tenant.plan,
    name: tenant.name,
    history_enabled: tenant.historyEnabled,
    rps: tenant.rps,
    settlement_quota: tenant.settlementQuota,
    verification_quota: tenant.verificationQuota,
    allowed_networks: tenant.allowedNetworks.length > 0 ? tenant.allowedNetworks : null,
    pay_to_allow: tenant.payToAllow.length > 0 ? tenant.payToAllow.map(displayAddress) : null,
    max_amount: tenant.maxAmount?.toFixed(0) ?? null,
    created_at: tenant.createdAt.toISOString(),
    revoked_at: tenant.revokedAt?.toISOString() ?? null,
    keys: tenant.keys.map((key) => ({
      id: key.id,
      prefix: key.prefix,
      created_at: key.createdAt.toISOString(),
      last_used_at: key.lastUsedAt?.toISOString() ?? null,
      grace_until: key.graceUntil?.toISOString() ?? null,
    })),
  }
}
