import type { Address } from 'viem'

/** What a merchant of the kill tests is started with. */
export type MerchantSettings = {
  /** Its facilitators: with several it fails over. */
  facilitators: [string, ...string[]]
  /** `plain` is the official client alone. */
  client: 'recovering' | 'failover' | 'plain'
  node: string
  payTo: string
  store: string
  /** The step at which it kills itself; null: none. */
  killAt: Step | null
  /** Only requests to this one of its facilitators kill it; by default those to any. */
  killAtFacilitator?: number
  answerWithinMs?: number
  waitMs?: number
  /** How long it waits for one answer of a facilitator. */
  timeoutMs?: number
}

/** What a merchant that sells through channels is started with. `maxTimeoutSeconds`: how long a request of its customers may take. */
export type StreamMerchantSettings = { facilitator: string; receiver: Address; usdc: Address; maxTimeoutSeconds: number }

/** Where a merchant may die: before and after each step of one paid request. */
export const STEPS = ['verify', 'verified', 'handler', 'settle', 'sent', 'settled', 'marked'] as const
export type Step = (typeof STEPS)[number]
