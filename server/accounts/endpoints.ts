import { z } from 'zod'
import { PAYMENT_BODY_LIMIT, readBody } from '../http/bodies'
import { endpoint } from '../http/endpoint'
import type { Surface } from '../http/errors'
import { idCursor, pageLimit, writeCursor } from '../http/page'
import { idInPath } from '../http/schemas'
import { adminCredentials, merchantCredentials } from '../sign-in/credentials'
import { networkIn } from '../x402/parse-terms'
import { invalidApiKey, signedInRate } from './caller'
import { wireOwnTenant, wireTenant, wireTenantWithKey } from './present'
import { merchantChanges, ownerQuery, ownTenant, tenant, tenantPage, tenantWithKey } from './schemas'
import { newTenant, rotation, tenantChanges } from './settings-schemas'
import { changeHistory, noOwnTenant, pageOfTenants, provision, reconfigure, rotate, tenantOf } from './tenants'

export const createTenant = endpoint({
  id: 'createTenant',
  tag: 'Admin',
  summary: 'Create a tenant and its first key',
  description: 'We show the key only in this response.',
  credentials: adminCredentials,
  body: newTenant,
  responses: { 201: { description: 'The tenant with its key.', schema: tenantWithKey } },
  errors: [400, 401, 413, 503],
  handler: async ({ app, body }) => wireTenantWithKey(await provision(app, body)),
})

export const listTenants = endpoint({
  id: 'listTenants',
  tag: 'Admin',
  summary: 'List tenants',
  description: 'Newest first.',
  credentials: adminCredentials,
  query: z.object({ limit: pageLimit(50), cursor: idCursor, owner_id: ownerQuery }),
  responses: { 200: { description: 'A page.', schema: tenantPage } },
  errors: [400, 401, 503],
  async handler({ app, query: { limit, cursor = null, owner_id: owner = null } }) {
    const page = await pageOfTenants(app, { limit, cursor, owner })
    const last = page.tenants.at(-1)?.id ?? cursor
    return { tenants: page.tenants.map(wireTenant), cursor: writeCursor(last), has_more: page.hasMore }
  },
})

export const getTenant = endpoint({
  id: 'getTenant',
  tag: 'Admin',
  summary: 'Read a tenant',
  description: 'Its settings and its keys, without their secrets.',
  credentials: adminCredentials,
  params: idInPath('tenant'),
  responses: { 200: { description: 'The tenant.', schema: tenant } },
  errors: [400, 401, 404, 503],
  handler: async ({ app, params }) => wireTenant(await tenantOf(app, params.id)),
})

export const changeTenant = endpoint({
  id: 'changeTenant',
  tag: 'Admin',
  summary: 'Change a tenant',
  description: 'Changes only the fields that you send, for all later settlements.',
  credentials: adminCredentials,
  params: idInPath('tenant'),
  body: tenantChanges,
  responses: { 200: { description: 'The tenant as it is now.', schema: tenant } },
  errors: [400, 401, 404, 413, 503],
  handler: async ({ app, params, body }) => wireTenant(await reconfigure(app, params.id, body)),
})

export const rotateKey = endpoint({
  id: 'rotateKey',
  tag: 'Admin',
  summary: 'Give a tenant a new key',
  description: 'Earlier keys stay valid for `grace_seconds`. 409 if the tenant is revoked.',
  credentials: adminCredentials,
  params: idInPath('tenant'),
  body: rotation,
  responses: { 200: { description: 'The tenant with its new key.', schema: tenantWithKey } },
  errors: [400, 401, 404, 409, 413, 503],
  handler: async ({ app, params, body }) => wireTenantWithKey(await rotate(app, params.id, body.grace_seconds)),
})

export const changeOwnTenant = endpoint({
  id: 'changeOwnTenant',
  tag: 'Settings',
  summary: 'Switch the history of a key on or off',
  description: 'Applies to all later settlements. The id is the `tenant_id` of every history entry.',
  rate: signedInRate,
  credentials: merchantCredentials('keys:write'),
  params: idInPath('tenant'),
  unknownId: noOwnTenant,
  body: merchantChanges,
  responses: { 200: { description: 'The settings as they are now.', schema: ownTenant } },
  errors: [400, 401, 403, 404, 413, 429, 503],
  handler: async ({ app, who, params, body }) => wireOwnTenant(await changeHistory(app, who, params.id, body.history_enabled)),
})

const refuseAll = (surface: Surface) =>
  endpoint({
    surface,
    cors: 'open',
    unlisted: 'no key',
    async handler({ request }) {
      throw invalidApiKey(surface === 'settle' ? { network: await networkIn(readBody(request, PAYMENT_BODY_LIMIT)) } : {})
    },
  })

/** The addresses of keyed endpoints without the key: every request gets a 401. */
export const withoutKey = { plain: refuseAll('plain'), verify: refuseAll('verify'), settle: refuseAll('settle') }
