import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519'
import { LRUCache } from 'lru-cache'
import { atMost } from '../../../../base/at-most'
import { bytes32, toBase58 } from '../../../encodings'
import { ASSOCIATED_TOKEN_PROGRAM } from './programs'

const MARKER = Buffer.from('ProgramDerivedAddress')

// A derivation takes two square roots on average, and the same merchants repeat.
const derived = new LRUCache<string, string>(atMost(10_000))

/** The associated token account of a wallet for a mint of this token program. Null when one of them is not an address. */
export function associatedAccount(owner: string, mint: string, tokenProgram: string): string | null {
  const key = `${owner} ${mint} ${tokenProgram}`
  const known = derived.get(key)
  if (known !== undefined) return known
  const seeds = [owner, tokenProgram, mint].map(bytes32)
  const program = bytes32(ASSOCIATED_TOKEN_PROGRAM)
  if (!program || !seeds.every((seed) => seed !== null)) return null
  const account = derive(seeds, program)
  derived.set(key, account)
  return account
}

// The first address off the curve, counted down from 255 as the chain does.
function derive(seeds: Uint8Array[], program: Uint8Array): string {
  for (let bump = 255; bump >= 0; bump--) {
    const parts = Buffer.concat([...seeds, Uint8Array.of(bump), program, MARKER])
    const address = createHash('sha256').update(parts).digest()
    if (!isOnCurve(address)) return toBase58(address)
  }
  throw new Error('no bump leads off the curve: the chance is 1 in 2^256')
}

function isOnCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.ExtendedPoint.fromHex(bytes)
    return true
  } catch {
    // The library throws this way when the point does not exist.
    return false
  }
}
