import type { Proven, SignedBy, SignedWith } from '../evm-signed'
import type { Permit2Authorization, PermitTransfer, SignedPermit } from '../permit2/transfers'

/** An EIP-3009 authorization. Addresses are lower case; times are Unix seconds. */
export type Authorization = {
  from: `0x${string}`
  to: `0x${string}`
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: `0x${string}`
}

export type Eip3009Transfer = SignedBy<'eip3009', Authorization>
export type Permit2Transfer = PermitTransfer<'permit2', Permit2Authorization>

/** What a wallet of an EVM network signed for this scheme. */
export type ExactTransfer = Eip3009Transfer | Permit2Transfer

/** `payer`: found by a judgement, where the transaction does not name it at a known place. */
export type SvmSigned<Transaction> = { kind: 'svm'; transaction: Transaction; payer?: string }

/** An EIP-3009 transfer to send. */
export type SignedEip3009 = SignedWith<'eip3009', Authorization> & Pick<Proven, 'byKey' | 'deployment'>
/** A Permit2 transfer to send. */
export type SignedPermit2 = SignedPermit<'permit2', Permit2Authorization>

/** What to sign for one settlement by this scheme. */
export type SignedExact = SignedEip3009 | SignedPermit2
