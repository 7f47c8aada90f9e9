import type { Hex } from 'viem'

/**
 * How the payer's signature is proven on chain: by its key, by the code at its address (EIP-1271), or by code that its factory puts
 * there in the same transaction (ERC-6492).
 */
export type SignatureProof = 'key' | 'code' | 'factory'

/** The call of a factory that puts a wallet on the chain. Lower case. */
export type Deployment = { factory: Hex; data: Hex }

/** A payer's signature as it is sent: without a wrapper. */
export type Proven = {
  proof: SignatureProof
  signature: Hex
  /** The payer's own key made it, even if code decides; if unset, as `proof` says. */
  byKey?: boolean | undefined
  /** Set where `proof` is `factory`. */
  deployment?: Deployment | undefined
}

/** What a payer signed for a transfer, as it came. */
export type SignedBy<Kind extends string, Signed> = {
  kind: Kind
  authorization: Signed
  signature: Hex
  /** The payer as the caller wrote it. */
  writtenFrom: string
}

/** A payer's signed transfer by a method. */
export type SignedWith<Method extends string, What> = {
  method: Method
  /** Lower case. */
  asset: Hex
  authorization: What
  signature: Hex
  proof: SignatureProof
}
