/** The path where agents buy credits, below the base URL. */
export const PURCHASE_PATH = '/api/v1/agent/purchase'

/** The price of a credit in atomic units: 1,000 credits cost 1 USDC. A credit pays for one settlement that is sent. */
export const CREDIT_PRICE = 1_000n

/** The bounds of one purchase, in credits. */
export const CREDITS_MIN = 100
export const CREDITS_MAX = 10_000_000

/** Verifications that come with each credit. */
export const VERIFICATIONS_PER_CREDIT = 5

/** Whether so few credits are left of those bought that their owner should buy more. */
export const isLow = (left: number, bought: number): boolean => left * 10 < bought

/** The credits that an amount buys, rounded down. */
export function creditsFor(amount: bigint): bigint {
  return amount / CREDIT_PRICE
}
