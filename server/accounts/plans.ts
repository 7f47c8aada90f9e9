/** What was bought: monthly units, requests per second, the tier that serves it, and whether it may use the flash prefix. */
export type Plan = { settlements: number; verifications: number; requestsPerSecond: number; tier: Tier; flash: boolean }

/** Which facilitator serves a payment. */
export type Tier = 'sandbox' | 'standard' | 'flash'

/** Every plan, in one table. Tenants may carry overrides of their own. */
export const plans = {
  sandbox: { settlements: 1_000, verifications: 5_000, requestsPerSecond: 5, tier: 'sandbox', flash: false },
  free: { settlements: 1_000, verifications: 5_000, requestsPerSecond: 5, tier: 'standard', flash: false },
  starter: { settlements: 10_000, verifications: 50_000, requestsPerSecond: 20, tier: 'standard', flash: false },
  growth: { settlements: 100_000, verifications: 500_000, requestsPerSecond: 50, tier: 'standard', flash: true },
  scale: { settlements: 1_000_000, verifications: 5_000_000, requestsPerSecond: 200, tier: 'standard', flash: true },
  // Prepaid: its credits say how much.
  agent: { settlements: 0, verifications: 0, requestsPerSecond: 20, tier: 'standard', flash: false },
} as const satisfies Record<string, Plan>

export type PlanName = keyof typeof plans

/** The plans that an admin can give a key; agents buy theirs. */
export const soldPlans = ['free', 'starter', 'growth', 'scale'] as const satisfies PlanName[]

/** Whether a word is the name of a plan. */
export function isPlan(name: string): name is PlanName {
  return Object.hasOwn(plans, name)
}

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

/** How long an earlier key or secret goes on beside the new one, seconds: unless told, and at most. */
export const GRACE_SECONDS = { usual: 86400, most: 30 * 86400 } as const

/** The maximum rows of one file, the newest; filters split larger histories. */
export const EXPORTED_MAX = 50_000
