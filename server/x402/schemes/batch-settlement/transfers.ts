import type { Proven, SignedBy, SignedWith } from '../evm-signed'
import type { Authorization } from '../exact/transfers'
import type { Permit2Authorization, PermitTransfer, SignedPermit } from '../permit2/transfers'
import type { ChannelConfig, ClaimRow, Voucher } from './channel'

/** A channel with a voucher of its payer. `writtenId`: the channel's id as the payload has it. */
export type Vouched = { channel: ChannelConfig; writtenId: string; voucher: Voucher }

/** What a payload says of a deposit beside the authorization of its transfer. Atomic units. */
export type DepositTerms = Vouched & { amount: bigint }

/** A transfer to the collector, which only that may make. Its nonce is made of the channel and the salt. */
type DepositAuthorization = Authorization & { salt: bigint }

/** A Permit2 transfer to the contract of the channels, with the channel as its witness. */
export type DepositPermit = Permit2Authorization & { channelId: `0x${string}` }

export type BatchEip3009Transfer = SignedBy<'batch-eip3009', DepositAuthorization> & { deposit: DepositTerms }
export type BatchPermit2Transfer = PermitTransfer<'batch-permit2', DepositPermit> & { deposit: DepositTerms }

/** What a wallet signed for a deposit into a channel. */
export type DepositTransfer = BatchEip3009Transfer | BatchPermit2Transfer

/** A deposit to send. */
export type SignedBatchEip3009 = SignedWith<'batch-eip3009', DepositAuthorization> &
  Pick<Proven, 'byKey' | 'deployment'> & { channel: ChannelConfig; channelId: `0x${string}` }
export type SignedBatchPermit2 = SignedPermit<'batch-permit2', DepositPermit> & { channel: ChannelConfig }
export type SignedDeposit = SignedBatchEip3009 | SignedBatchPermit2

/** What an act of channels has in the place of a payer's authorization: it moves nothing of the account `from`. */
type Acting = { from: `0x${string}`; to: `0x${string}`; value: bigint }

/** What the service knows of an act that it signed for its own tenant: no failure of it is the fault of the account `from`. */
type OwnAct = { signedHere: boolean }

/**
 * Claims of one authorizer. Its signature is over all rows; each row is claimed up to its total. `gain`: what they add to what was claimed,
 * atomic units.
 */
export type SignedClaims = SignedWith<'batch-claim', Acting> &
  OwnAct & { rows: readonly ClaimRow[]; ids: readonly `0x${string}`[]; gain: bigint }

/** A refund of a channel, behind claims of it. */
export type SignedRefund = SignedWith<'batch-refund', Acting> &
  OwnAct & {
    channel: ChannelConfig
    channelId: `0x${string}`
    amount: bigint
    nonce: bigint
    claims: { rows: readonly ClaimRow[]; signature: `0x${string}` } | null
  }

/** What was claimed for a receiver, up to this total, is paid out: so much of it as `gain`, atomic units. */
export type SignedSweep = SignedWith<'batch-sweep', Acting> & { claimed: bigint; gain: bigint }

/** An act of channels to send. */
export type SignedAct = SignedClaims | SignedRefund | SignedSweep

/** A deposit that no method can read: it lacks the authorization that its requirements ask for. */
export type UnreadDeposit = { deposit: DepositTerms; lacks: 'eip3009' | 'permit2' }
