import { endpoint } from '../http/endpoint'
import { clientIp } from '../http/request'
import { idInPath } from '../http/schemas'
import { ownerCredentials } from '../sign-in/credentials'
import { signedInRate } from './caller'
import { changeOwnKey, listOwn, makeOwnKey, readOwnKey, revokeOwnKey, rotateOwnKey } from './own-keys'
import { wireOwnKeyWithSecret, wireTenant } from './present'
import { ownKeys, ownKeyWithSecret, tenant } from './schemas'
import { newOwnKey, ownKeyChanges, rotation } from './settings-schemas'
import { noOwnTenant } from './tenants'

// The keys of the dashboard, for programs. A merchant's JWT may be limited to reading; a wallet's session may do all.
const reading = { tag: 'Keys', rate: signedInRate, credentials: ownerCredentials('keys:read') } as const
const writing = { tag: 'Keys', rate: signedInRate, credentials: ownerCredentials('keys:write') } as const
const one = { params: idInPath('key'), unknownId: noOwnTenant } as const

export const createOwnKey = endpoint({
  ...writing,
  id: 'createKey',
  summary: 'Create a key',
  description:
    'A key of the plan `free`, at most ten live ones. A key of a wallet pays only that wallet. We show the secret only in this response.',
  body: newOwnKey,
  responses: { 201: { description: 'The key with its secret.', schema: ownKeyWithSecret } },
  errors: [400, 401, 403, 409, 413, 429, 503],
  handler: async ({ app, request, who, body }) =>
    wireOwnKeyWithSecret(app, await makeOwnKey(app, { owner: who, ip: clientIp(request) }, body)),
})

export const listKeys = endpoint({
  ...reading,
  id: 'listKeys',
  summary: 'List your keys',
  description: 'All live keys and the last revoked ones, without secrets.',
  responses: { 200: { description: 'The keys.', schema: ownKeys } },
  errors: [401, 403, 429, 503],
  handler: async ({ app, who }) => ({ keys: (await listOwn(app, who)).map(wireTenant) }),
})

export const getKey = endpoint({
  ...reading,
  ...one,
  id: 'getKey',
  summary: 'Read a key',
  description: 'Its settings and its secrets by their first characters.',
  responses: { 200: { description: 'The key.', schema: tenant } },
  errors: [401, 403, 404, 429, 503],
  handler: async ({ app, who, params }) => wireTenant((await readOwnKey(app, who, params.id)).tenant),
})

export const changeKey = endpoint({
  ...writing,
  ...one,
  id: 'changeKey',
  summary: 'Change a key',
  description:
    'Name, limits, `wait_until`, `history_enabled`, receipts and claims. Changes only the fields that you send, from the next payment on.',
  body: ownKeyChanges,
  responses: { 200: { description: 'The key as it is now.', schema: tenant } },
  errors: [400, 401, 403, 404, 413, 429, 503],
  handler: async ({ app, who, params, body }) => wireTenant(await changeOwnKey(app, who, params.id, body)),
})

export const rotateOwn = endpoint({
  ...writing,
  ...one,
  id: 'rotateOwnKey',
  summary: 'Rotate a key',
  description: 'Gives it a new secret. Earlier ones stay valid for `grace_seconds`; 0 ends them at once. 409 for a revoked key.',
  body: rotation,
  responses: { 200: { description: 'The key with its new secret.', schema: ownKeyWithSecret } },
  errors: [400, 401, 403, 404, 409, 413, 429, 503],
  handler: async ({ app, who, params, body }) =>
    wireOwnKeyWithSecret(app, await rotateOwnKey(app, who, params.id, body.grace_seconds)),
})

export const revokeKey = endpoint({
  ...writing,
  ...one,
  id: 'revokeKey',
  summary: 'Revoke a key',
  description: 'Ends it for good, with all its secrets. Repeating it changes nothing.',
  responses: { 200: { description: 'The revoked key.', schema: tenant } },
  errors: [401, 403, 404, 413, 429, 503],
  handler: async ({ app, who, params }) => wireTenant(await revokeOwnKey(app, who, params.id)),
})
