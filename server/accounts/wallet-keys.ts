import type { App } from '../app'
import { ServiceError } from '../base/errors'
import { listAgentKeys, revokeAgentKey } from './key-queries'
import { listOwn, REVOKED_SHOWN } from './own-keys'
import { findOwnTenant, type Owner } from './tenant-queries'
import { reconfigure } from './tenants'

/** A key of a wallet, without its secret. It pays only `payTo`; null for a key that spends credits. */
export type WalletKey = {
  id: string
  prefix: string
  plan: string
  name: string
  payTo: string | null
  allowedNetworks: string[]
  createdAt: Date
  lastUsedAt: Date | null
  revokedAt: Date | null
}

/** The owner of a wallet's keys. */
export const ofWallet = (wallet: string): Owner => ({ kind: 'wallet', id: wallet })

/** The keys of a wallet, free ones and those of its agent: live ones first, then revoked ones, each newest first. */
export async function listWalletKeys(app: App, wallet: string): Promise<WalletKey[]> {
  const [own, ofAgent] = await Promise.all([listOwn(app, ofWallet(wallet)), listAgentKeys(app.db, wallet, REVOKED_SHOWN)])
  const charging = own.map(({ keys, id, plan, name, payToAllow, allowedNetworks, createdAt, revokedAt }): WalletKey => {
    const used = keys.flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
    const lastUsedAt = used.toSorted((one, other) => other.getTime() - one.getTime())[0] ?? null
    const [payTo = null] = payToAllow
    return { id, prefix: keys[0]?.prefix ?? '', plan, name, payTo, allowedNetworks, createdAt, lastUsedAt, revokedAt }
  })
  const spending = ofAgent.map(({ tenant, graceUntil, revokedAt, ...key }): WalletKey => {
    const ended = graceUntil && graceUntil <= app.now() ? graceUntil : null
    const { name, allowedNetworks } = tenant
    return { ...key, plan: 'agent', name, payTo: null, allowedNetworks, revokedAt: revokedAt ?? tenant.revokedAt ?? ended }
  })
  const rank = ({ revokedAt }: WalletKey) => (revokedAt === null ? 0 : 1)
  return [...charging, ...spending].toSorted(
    (one, other) => rank(one) - rank(other) || other.createdAt.getTime() - one.createdAt.getTime(),
  )
}

/** Revokes a key of a wallet for good, with earlier secrets of it. Throws `not_found` for any other key. */
export async function revokeWalletKey(app: App, wallet: string, id: string): Promise<void> {
  const own = await findOwnTenant(app.db, ofWallet(wallet), id)
  if (own?.revokedAt === null) return void (await reconfigure(app, id, { revoked: true }, 'owner'))
  const tenantId = await revokeAgentKey(app.db, wallet, id)
  if (tenantId === null) throw noWalletKey()
  app.keyring.forget(tenantId)
  app.log.info({ tenantId, keyId: id }, 'a wallet revoked a key')
}

/** The refusal for a key that is unknown, revoked or of another wallet: always the same, so that it does not say which. */
export function noWalletKey(): ServiceError {
  return new ServiceError('not_found', 'none of your live keys has this id; GET /api/v1/keys lists them')
}
