import { LRUCache } from 'lru-cache'
import { atMost } from '../../../../base/at-most'
import { bytes32 } from '../../../encodings'
import { derivedAddress } from './derived-address'
import { ASSOCIATED_TOKEN_PROGRAM } from './programs'

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
  const account = derivedAddress(seeds, program).address
  derived.set(key, account)
  return account
}
