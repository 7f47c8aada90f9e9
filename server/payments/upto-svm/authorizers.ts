import { hkdfSync } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Caller, OPERATOR_TENANT } from '../../accounts/caller'
import { createSeedSigner, type SvmSigner } from '../../chains/svm/signer'

type Holder = Pick<Caller, 'tenantId' | 'key'>

/** The keys that consent to charges of channels on Solana: one of each tenant for each secret, derived as those on EVM are. */
export type SvmAuthorizers = {
  /** The key that new channels of a caller name; null for one without an API key, or where no secret is configured. */
  newest(caller: Holder): SvmSigner | null
  /** The caller's key at this address, of any secret; null if it is none. */
  at(caller: Holder, address: string): SvmSigner | null
}

const KEPT = 1_000

/** The authorizers by these secrets: the newest first; an older one is kept until its channels are closed. */
export function createSvmAuthorizers(secrets: readonly string[]): SvmAuthorizers {
  const kept = new LRUCache<string, SvmSigner[]>({ max: KEPT })
  function keysOf({ tenantId, key }: Holder): SvmSigner[] {
    if (key === null || tenantId === OPERATOR_TENANT) return []
    const known = kept.get(tenantId) ?? secrets.map((secret) => createSeedSigner(seedOf(secret, tenantId)))
    kept.set(tenantId, known)
    return known
  }
  return {
    newest: (caller) => keysOf(caller)[0] ?? null,
    at: (caller, address) => keysOf(caller).find((one) => one.address === address) ?? null,
  }
}

const seedOf = (secret: string, tenantId: string) =>
  new Uint8Array(hkdfSync('sha256', secret, '', `quittance solana channels ${tenantId}`, 32))
