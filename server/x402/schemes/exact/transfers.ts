import type { Hex } from 'viem'
import type { Proven, SignedWith } from '../evm-signed'

/** An EIP-3009 authorization. Addresses are lower case; times are Unix seconds. */
export type Authorization = {
  from: `0x${string}`
  to: `0x${string}`
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: `0x${string}`
}

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
 * form that cannot be used.
 */
export type Sponsoring =
  | { kind: 'eip2612'; from: string; asset: string; spender: string; permit: Eip2612Permit }
  | { kind: 'approval'; from: string; asset: string; spender: string; transaction: `0x${string}` }
  | { kind: 'broken'; extension: 'eip2612' | 'approval' }

type SignedBy<Kind extends string, Signed> = {
  kind: Kind
  authorization: Signed
  signature: `0x${string}`
  /** The payer as the caller wrote it. */
  writtenFrom: string
}

export type Eip3009Transfer = SignedBy<'eip3009', Authorization>
export type Permit2Transfer = SignedBy<'permit2', Permit2Authorization> & { sponsoring: Sponsoring | null }

/** What a wallet of an EVM network signed for this scheme. */
export type ExactTransfer = Eip3009Transfer | Permit2Transfer

/** `payer`: found by a judgement, where the transaction does not name it at a known place. */
export type SvmSigned<Transaction> = { kind: 'svm'; transaction: Transaction; payer?: string }

/** An EIP-3009 transfer to send. */
export type SignedEip3009 = SignedWith<'eip3009', Authorization> & Pick<Proven, 'byKey' | 'deployment'>
/** A Permit2 transfer to send. */
export type SignedPermit2 = SignedWith<'permit2', Permit2Authorization> & {
  /** Lets Permit2 take the tokens, in the same call. */
  permit: Eip2612Permit | null
  /** The payer's own transaction that lets Permit2 take the tokens: it must be mined first. */
  approval: Hex | null
}

/** What to sign for one settlement by this scheme. */
export type SignedExact = SignedEip3009 | SignedPermit2
