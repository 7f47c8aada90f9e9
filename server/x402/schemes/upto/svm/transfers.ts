/** What the service knows of a payment beside its bytes. */
export type UptoService = {
  /** Unix seconds. */
  now: bigint
  /** Whether the authorizer of the payment is the one that is kept here for its caller. */
  isOurs: boolean
  /** The channel as its deposit was taken here for the same caller; null without one. */
  channel: UptoChannel | null
}

/** A channel that was opened here. Amounts are atomic units, addresses base58. */
export type UptoChannel = {
  id: string
  payer: string
  payTo: string
  asset: string
  tokenProgram: string
  feePayer: string
  authorizer: string
  maximum: bigint
  withdrawDelay: number
  openSlot: bigint
  /** Unix seconds until which a voucher is valid. */
  expiresAt: bigint
}

/** The step of a payment. */
export type UptoStep = 'verify' | 'deposit' | 'claim'

/** What a payer signed, a transaction that opens a channel, and the step that is asked for. Null: not a decimal number of 64 bits. */
export type UptoSvmTransfer<Transaction> = {
  kind: 'svm-upto'
  step: UptoStep
  transaction: Transaction
  /** The payer as the payload names it. */
  payer: string
  channelId: string
  maximum: bigint | null
  deposited: bigint | null
  nonce: bigint | null
  openSlot: bigint | null
  authorizer: string
  /** Unix seconds. */
  validAfter: bigint
  expiresAt: bigint
  type: 'deposit' | 'claim' | null
  /** The signature of a voucher over the charge: made here for a claim that keeps all rules; a payload with one is refused. */
  voucher: string | null
  /** Unset: the scheme is not served to the caller. */
  served?: UptoService
}
