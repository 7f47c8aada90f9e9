import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519'
import { LRUCache } from 'lru-cache'
import { bytes32, toBase58 } from '../../encodings'
import { ASSOCIATED_TOKEN_PROGRAM } from './instructions'
import { TOKEN_PROGRAM } from './transaction'

const MARKER = Buffer.from('ProgramDerivedAddress')

// A derivation takes two square roots on average; merchants come again and again.
const derived = new LRUCache<string, string>({ max: 10_000 })

/** The account in which a wallet holds an SPL token (its associated token account). Null when owner or mint is no address. */
export function associatedAccount(owner: string, mint: string): string | null {
  const key = `${owner} ${mint}`
  const known = derived.get(key)
  if (known !== undefined) return known
  const seeds = [owner, TOKEN_PROGRAM, mint].map(bytes32)
  const program = bytes32(ASSOCIATED_TOKEN_PROGRAM)
  if (!program || !seeds.every((seed) => seed !== null)) return null
  const account = derive(seeds, program)
  derived.set(key, account)
  return account
}

// The first hash that no private key can belong to, counted down from 255 as the chain does.
function derive(seeds: Uint8Array[], program: Uint8Array): string {
  for (let bump = 255; bump >= 0; bump--) {
    const parts = Buffer.concat([...seeds, Uint8Array.of(bump), program, MARKER])
    const address = createHash('sha256').update(parts).digest()
    if (!isOnCurve(address)) return toBase58(address)
  }
  throw new Error('no bump leads off the curve, which has a chance of 1 in 2^256')
}

function isOnCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.ExtendedPoint.fromHex(bytes)
    return true
  } catch {
    // How the library says that there is no such point.
    return false
  }
}
