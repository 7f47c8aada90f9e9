import { revokeAgentKey } from '../accounts/key-queries'
import { type MintedKey, mintKey } from '../accounts/keyring'
import { changeAgentTenants, type OwnChanges, type OwnTenant } from '../accounts/tenant-queries'
import { countKey } from '../accounts/tenants'
import type { App } from '../app'
import { ServiceError } from '../base/errors'
import { listCredits } from '../ledger/statements/credits'
import { findAgentTenant, giveAgentKey } from './queries'

/** The maximum live keys of a wallet's agent. */
export const AGENT_KEYS_MAX = 5

/** Gives a wallet's agent a new key; beyond five the least recently used is revoked. Null if its access is revoked. */
export async function mintAgentKey(app: App, wallet: string): Promise<MintedKey | null> {
  const key = mintKey()
  const tenantId = await giveAgentKey(app.db, wallet, key, AGENT_KEYS_MAX)
  if (tenantId === null) return null
  app.keyring.forget(tenantId)
  app.log.info({ tenantId, keyId: key.id }, 'an agent got a key')
  return key
}

/** A new key for a wallet that has bought credits. Throws `not_found` before a purchase, `forbidden` if its access is revoked, `too_many` beyond the rate. */
export async function anotherAgentKey(app: App, wallet: string): Promise<MintedKey> {
  // A buyer can have credits and no key: the process may have ended between the two writes.
  const [tenant, accounts] = await Promise.all([findAgentTenant(app.db, wallet), listCredits(app.db, wallet)])
  if (!tenant && accounts.length === 0) throw noPurchase()
  if (tenant?.revoked) throw accessRevoked()
  await countKey(app, { kind: 'wallet', id: wallet })
  const key = await mintAgentKey(app, wallet)
  if (key) return key
  throw accessRevoked()
}

/** Revokes one of a wallet's keys. Throws `not_found` for any other key. */
export async function revokeOwnKey(app: App, wallet: string, keyId: string): Promise<void> {
  const tenantId = await revokeAgentKey(app.db, wallet, keyId)
  if (tenantId === null) throw noKey()
  app.keyring.forget(tenantId)
  app.log.info({ tenantId, keyId }, 'an agent revoked a key')
}

/** The refusal for a key that is unknown, revoked or of another wallet: always the same, so that it does not say which. */
export function noKey(): ServiceError {
  return new ServiceError('not_found', 'none of your live keys has this id; GET /api/v1/agent/balance lists them')
}

/** The refusal of a wallet whose access the operator revoked. */
export function accessRevoked(): ServiceError {
  return new ServiceError('forbidden', "this wallet's access was revoked by the operator of this facilitator")
}

/** The refusal of a wallet that has not bought credits yet. */
function noPurchase(): ServiceError {
  return new ServiceError('not_found', 'this wallet has no API key yet; it gets one with its first purchase of credits')
}

/** Changes the tenants of a wallet's agent from their next claims on; returns them newest first. Throws `not_found` if it has none. */
export async function configureAgent(app: App, wallet: string, changes: OwnChanges): Promise<[OwnTenant, ...OwnTenant[]]> {
  const [newest, ...others] = await changeAgentTenants(app.db, wallet, changes)
  if (!newest) throw noPurchase()
  for (const { id } of [newest, ...others]) app.keyring.forget(id)
  app.log.info({ tenantId: newest.id, others: others.length, fields: Object.keys(changes) }, 'tenant changed by its owner')
  return [newest, ...others]
}
