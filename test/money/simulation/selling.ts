import type { Hex } from 'viem'
import type { ChannelConfig } from '../../../server/x402/schemes/batch-settlement/channel'
import type { Authorization } from './token'

/** A channel of the merchant with a key, and what its servers count of it. */
export type Selling = {
  name: string
  id: Hex
  config: ChannelConfig
  key: Uint8Array
  authorization: Authorization
  salt: Hex
  /** Whether its deposit was answered as a success. */
  open: boolean
  /** What its vouchers were charged in all, and after each charge. */
  charged: bigint
  charges: bigint[]
  /** What the newest voucher is over. */
  signed: bigint
  /** A refund was asked for: nothing more is sold. */
  closing: boolean
  /**
   * Of one that is kept at the service: what was charged of it by writes that were answered. `charged` is then the most that all writes can have
   * charged. Null where the merchant counts by itself.
   */
  kept: { confirmed: bigint } | null
}

/** A channel that the merchant's servers keep at the service. */
export type KeptSelling = Selling & { kept: NonNullable<Selling['kept']> }
