import type { Proven, SignedBy, SignedWith } from '../evm-signed'
import type { Authorization } from '../exact/transfers'
import type { Permit2Authorization, PermitTransfer, SignedPermit } from '../permit2/transfers'
import type { ChannelConfig, Voucher } from './channel'

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

/** A deposit that no method can read: it lacks the authorization that its requirements ask for. */
export type UnreadDeposit = { deposit: DepositTerms; lacks: 'eip3009' | 'permit2' }
