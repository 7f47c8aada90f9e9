/** What was bought: monthly units, requests per second and the tier that serves it. */
export type Plan = { settlements: number; verifications: number; requestsPerSecond: number; tier: Tier }

/** Which facilitator serves a plan. */
export type Tier = 'sandbox'

/** Every plan, in one table (SPEC "Limits"). */
export const plans = {
  sandbox: { settlements: 1_000, verifications: 5_000, requestsPerSecond: 5, tier: 'sandbox' },
} as const satisfies Record<string, Plan>

export type PlanName = keyof typeof plans

/** How many units of a plan may be given back in a period: refusals that are ours are rare, floods of them are not. */
export function returnCap(plan: string): number {
  return isPlan(plan) ? Math.floor(plans[plan].settlements / 10) : 0
}

function isPlan(name: string): name is PlanName {
  return Object.hasOwn(plans, name)
}
