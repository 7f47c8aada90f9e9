/** Where agents buy credits, below the base URL. */
export const PURCHASE_PATH = '/api/v1/agent/purchase'

/** What one credit costs, atomic units: 1,000 of them 1 USDC. One pays for one settlement that is sent. */
export const CREDIT_PRICE = 1_000n

/** How many credits one purchase may be of. */
export const CREDITS_MIN = 100
export const CREDITS_MAX = 10_000_000

/** Verifications that come with each credit. */
export const VERIFICATIONS_PER_CREDIT = 5

/** The credits that an amount buys; what is left over of it buys none. */
export function creditsFor(amount: bigint): bigint {
  return amount / CREDIT_PRICE
}
