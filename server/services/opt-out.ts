import { ServiceError } from '../errors'
import { changeLiveTenants, changeOwnTenant, type OwnChanges, type OwnTenant } from '../store/own-tenants'
import { noPurchase } from './agent-keys'
import type { App } from './app'

/** Switches the history of one of a merchant's tenants on or off, from its next claim on. Throws `not_found` for another's and for none. */
export async function optMerchant(app: App, merchant: string, tenantId: string, historyEnabled: boolean): Promise<OwnTenant> {
  const tenant = await changeOwnTenant(app.db, { kind: 'oidc', id: merchant }, tenantId, { historyEnabled })
  if (!tenant) throw noTenant()
  app.keyring.forget(tenantId)
  app.log.info({ tenantId, fields: ['historyEnabled'] }, 'tenant changed by its owner')
  return tenant
}

/** Changes all live tenants of an agent's wallet, from their next claims on; newest first. Throws `not_found` when it has none. */
export async function configureAgent(app: App, wallet: string, changes: OwnChanges): Promise<[OwnTenant, ...OwnTenant[]]> {
  const [newest, ...others] = await changeLiveTenants(app.db, { kind: 'wallet', id: wallet }, changes)
  if (!newest) throw noPurchase()
  for (const { id } of [newest, ...others]) app.keyring.forget(id)
  app.log.info({ tenantId: newest.id, others: others.length, fields: Object.keys(changes) }, 'tenant changed by its owner')
  return [newest, ...others]
}

/** The refusal for a tenant that is not there, or another's: the same, so that it tells nothing. */
export function noTenant(): ServiceError {
  return new ServiceError('not_found', 'none of your API keys has a tenant with this id')
}
