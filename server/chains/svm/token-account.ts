import { base58 } from '@scure/base'
import { TOKEN_PROGRAM } from '../../x402/svm-programs'
import type { Account } from './answers'

/** An account of the SPL Token program. Addresses are base58, the amount is in atomic units. */
export type TokenAccount = { mint: string; owner: string; amount: bigint; frozen: boolean }

export const TOKEN_ACCOUNT_BYTES = 165
const STATE_AT = 108
const INITIALIZED = 1
const FROZEN = 2

/** What an account says as a token account; null for any other account. */
export function readTokenAccount({ owner, data }: Account): TokenAccount | null {
  const state = data[STATE_AT]
  if (owner !== TOKEN_PROGRAM || data.length !== TOKEN_ACCOUNT_BYTES || (state !== INITIALIZED && state !== FROZEN)) return null
  return {
    mint: base58.encode(data.subarray(0, 32)),
    owner: base58.encode(data.subarray(32, 64)),
    amount: new DataView(data.buffer, data.byteOffset).getBigUint64(64, true),
    frozen: state === FROZEN,
  }
}
