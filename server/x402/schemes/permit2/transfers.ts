import type { Hex } from 'viem'
import type { SignedBy, SignedWith } from '../evm-signed'

/** A Permit2 transfer through the x402 proxy. Addresses are lower case; times are Unix seconds. */
export type Permit2Authorization = {
  from: `0x${string}`
  to: `0x${string}`
  token: `0x${string}`
  spender: `0x${string}`
  value: bigint
  nonce: bigint
  /** The last second in which it can be used. */
  deadline: bigint
  validAfter: bigint
}

/** An EIP-2612 permit of the payer for Permit2. */
type Eip2612Permit = { value: bigint; deadline: bigint; r: `0x${string}`; s: `0x${string}`; v: number }

/**
 * How the payer lets Permit2 take its tokens: a permit of the token, or its own signed transaction that approves. `broken`: declared in a
 * form that cannot be used; `unavailable`: an approval where none is sent.
 */
export type Sponsoring =
  | { kind: 'eip2612'; from: string; asset: string; spender: string; permit: Eip2612Permit }
  | { kind: 'approval'; from: string; asset: string; spender: string; transaction: `0x${string}` }
  | { kind: 'broken'; extension: 'eip2612' | 'approval' }
  | { kind: 'unavailable' }

/** What a payer signed for a Permit2 transfer, and how it lets Permit2 take its tokens. */
export type PermitTransfer<Kind extends string, Signed extends Permit2Authorization> = SignedBy<Kind, Signed> & {
  sponsoring: Sponsoring | null
}

/** A Permit2 transfer to send. */
export type SignedPermit<Method extends string, What extends Permit2Authorization> = SignedWith<Method, What> & {
  /** Lets Permit2 take the tokens, in the same call. */
  permit: Eip2612Permit | null
  /** The payer's own transaction that lets Permit2 take the tokens: it must be mined first. */
  approval: Hex | null
}
