// The answers of a facilitator of Quittance beyond those of x402. Amounts are atomic units as digits.

/** How final a landed payment is, or `reversed`: the chain took it back. */
export type SettledState = 'preconfirmed' | 'included' | 'safe' | 'finalized' | 'reversed'

/** `extra` of a landed settle answer: the place of this payment in a transaction that others may share. */
export type SettledExtra = {
  payer: string
  finality: Exclude<SettledState, 'reversed'>
  nonce?: string
  blockNumber?: number
  logIndex?: number
}

/** The claims of a signed receipt. Times are Unix seconds. */
export type Receipt = {
  iss: string
  iat: number
  seq: number
  settlement_id: string
  created_at: number
  network: string
  asset: string
  payer: string
  pay_to: string
  amount: string
  resource: string
  transaction: string
  log_index: number | null
  block_number: number | null
  state: SettledState
}

/** A settlement as a lookup answers it to the caller that settled it. `receipt` is null unless it landed. */
export type Settlement = {
  id: string
  state: 'pending' | 'succeeded' | 'failed'
  reason: string | null
  message: string | null
  transaction: string
  network: string
  amount: string
  resource: string
  payer: string
  pay_to: string
  created_at: string
  nonce: string | null
  block_number: number | null
  log_index: number | null
  finality: string | null
  receipt: string | null
}

export type WebhookEvent =
  | 'payment.settled'
  | 'payment.finalized'
  | 'payment.failed'
  | 'payment.reversed'
  | 'alert.quota'
  | 'alert.failure_rate'
  | 'alert.credits'
  | 'alert.channel'
  | 'listing.listed'
  | 'listing.changed'
  | 'listing.expiring'
  | 'listing.taken'
  | 'webhook.test'

/** A verified webhook. `id` is the same for each delivery of one message; later versions may send other types. */
export type WebhookMessage = {
  id: string
  type: WebhookEvent | (string & {})
  timestamp: string
  data: Record<string, unknown>
}
