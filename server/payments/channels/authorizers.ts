import { hkdfSync } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Hex } from 'viem'
import { type Caller, OPERATOR_TENANT } from '../../accounts/caller'
import { createHashSigner, type HashSigner } from '../../chains/evm/signer'

/**
 * The keys that consent to claims and refunds for receivers: one of each tenant for each secret. They are derived, so a channel names its
 * tenant by arithmetic, and no table can lose that.
 */
export type Authorizers = {
  /** The key that new channels of a caller name; null for one without an API key, or where no secret is configured. */
  newest(caller: Pick<Caller, 'tenantId' | 'key'>): HashSigner | null
  /** The caller's key at this address, of any secret, or that of an ended tenant of its owner; null if it is none of these. */
  at(caller: Pick<Caller, 'tenantId' | 'key' | 'ended'>, address: Hex): HashSigner | null
}

// The order of secp256k1, less one: a private key is 1 up to this.
const LARGEST = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140n
const KEPT = 1_000

/** The authorizers by these secrets: the newest first; an older one is kept until its channels are claimed and refunded. */
export function createAuthorizers(secrets: readonly string[]): Authorizers {
  const kept = new LRUCache<string, HashSigner[]>({ max: KEPT })
  function keysOf({ tenantId, key }: Pick<Caller, 'tenantId' | 'key'>): HashSigner[] {
    if (key === null || tenantId === OPERATOR_TENANT) return []
    const known = kept.get(tenantId) ?? secrets.map((secret) => createHashSigner(keyOf(secret, tenantId)))
    kept.set(tenantId, known)
    return known
  }
  return {
    newest: (caller) => keysOf(caller)[0] ?? null,
    at({ tenantId, key, ended = [] }, address) {
      const keys = [tenantId, ...ended].flatMap((id) => keysOf({ tenantId: id, key }))
      return keys.find((one) => one.address === address) ?? null
    },
  }
}

// Wide enough that the remainder is as good as even.
function keyOf(secret: string, tenantId: string): Uint8Array {
  const wide = Buffer.from(hkdfSync('sha256', secret, '', `quittance channels ${tenantId}`, 48)).toString('hex')
  const scalar = (BigInt(`0x${wide}`) % LARGEST) + 1n
  return Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')
}
