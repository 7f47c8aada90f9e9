import type { Hex } from 'viem'

/** A channel as its payer chose it: with its network it is the channel's identity. Lower case; `withdrawDelay` is seconds. */
export type ChannelConfig = {
  payer: Hex
  /** Whose key signs vouchers; 0: the payer, by its key or by the code at its address. */
  payerAuthorizer: Hex
  receiver: Hex
  /** Who consents to claims and refunds for the receiver. */
  receiverAuthorizer: Hex
  token: Hex
  withdrawDelay: number
  salt: Hex
}

/** A signed promise that so much of a channel may be claimed in all. Atomic units. */
export type Voucher = { maxClaimable: bigint; signature: Hex }

/** A row of a claim: what is claimed of a channel in all, and the voucher that covers it. */
export type ClaimRow = { channel: ChannelConfig; voucher: Voucher; totalClaimed: bigint }

/** What the chain says of a channel. Amounts in atomic units; `withdrawRequestedAt` in Unix seconds, 0 without a withdrawal. */
export type ChannelState = {
  /** Deposits less refunds and withdrawals: claims do not lower it. */
  balance: bigint
  totalClaimed: bigint
  /** What the payer asked to withdraw, and can once its delay is over. */
  withdrawAmount: bigint
  withdrawRequestedAt: bigint
  refundNonce: bigint
}

/** The bounds of a withdraw delay in the contract, seconds. */
export const WITHDRAW_DELAY = { least: 900, most: 2_592_000 } as const

/** The largest amount of a channel. */
export const UINT128_MAX = 2n ** 128n - 1n
