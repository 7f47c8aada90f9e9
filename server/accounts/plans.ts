/**
 * A plan: monthly units, requests per second, the facilitator tier, whether it includes the flash prefix, and the gas of one owner a day on
 * each mainnet, in US dollars.
 */
export type Plan = {
  settlements: number
  verifications: number
  requestsPerSecond: number
  tier: Tier
  flash: boolean
  gasUsdDay: number
}

/** Which facilitator serves a payment. */
export type Tier = 'sandbox' | 'standard' | 'flash'

/** All plans. A tenant can override these limits. */
export const plans = {
  sandbox: { settlements: 1_000, verifications: 5_000, requestsPerSecond: 5, tier: 'sandbox', flash: false, gasUsdDay: 0 },
  free: { settlements: 1_000, verifications: 5_000, requestsPerSecond: 5, tier: 'standard', flash: false, gasUsdDay: 10 },
  starter: { settlements: 10_000, verifications: 50_000, requestsPerSecond: 20, tier: 'standard', flash: false, gasUsdDay: 50 },
  growth: { settlements: 100_000, verifications: 500_000, requestsPerSecond: 50, tier: 'standard', flash: true, gasUsdDay: 250 },
  scale: {
    settlements: 1_000_000,
    verifications: 5_000_000,
    requestsPerSecond: 200,
    tier: 'standard',
    flash: true,
    gasUsdDay: 1_000,
  },
  // Prepaid: credits are its only limit.
  agent: { settlements: 0, verifications: 0, requestsPerSecond: 20, tier: 'standard', flash: false, gasUsdDay: 50 },
} as const satisfies Record<string, Plan>

export type PlanName = keyof typeof plans

/** The plans that an admin can assign; agents buy credits instead. */
export const soldPlans = ['free', 'starter', 'growth', 'scale'] as const satisfies PlanName[]

/** The plans that tenants have: what admins assign, and that of agents. */
export const planNames = [...soldPlans, 'agent'] as const satisfies PlanName[]

/** Whether a text is the name of a plan. */
export function isPlan(name: string): name is PlanName {
  return Object.hasOwn(plans, name)
}
