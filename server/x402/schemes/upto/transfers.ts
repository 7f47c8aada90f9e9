import type { Permit2Authorization, PermitTransfer, SignedPermit } from '../permit2/transfers'

/** A Permit2 transfer of at most `value` through the x402 proxy, which only `facilitator` may send. Lower case. */
export type UptoAuthorization = Permit2Authorization & { facilitator: `0x${string}` }

/** What a wallet signed for this scheme. `ours`: whether the facilitator is a signer of ours; unset until it was checked. */
export type UptoTransfer = PermitTransfer<'upto', UptoAuthorization> & { ours?: boolean }

/** What to sign for one settlement: `value` is what it moves, `maximum` what the payer signed. */
export type SignedUpto = SignedPermit<'upto', UptoAuthorization & { maximum: bigint }>
