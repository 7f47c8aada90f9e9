import { approvals } from './approvals'
import { freeGasBudget, freeGasInFlight } from './free-gas-budget'
import { gasBudget, gasInFlight } from './gas-budget'
import type { BoundFacts, Guard } from './guard'
import { newPayers } from './new-payers'
import { openChannels } from './open-channels'
import { partyQueue } from './party-queue'
import { payerFailures } from './payer-failures'
import { payerQueue } from './payer-queue'
import { secondCharge } from './second-charge'
import { unconfirmed } from './unconfirmed'

/** The limits of a claim. The first one that it breaks is its rejection: a pause lasts longer than a full queue. */
const LIMITS = [
  secondCharge,
  payerFailures,
  payerQueue,
  partyQueue,
  newPayers,
  openChannels,
  unconfirmed,
  freeGasBudget,
  gasBudget,
  approvals,
  gasInFlight,
  freeGasInFlight,
] as const

type Limit = (typeof LIMITS)[number]

/** How a claim ends that breaks a limit. */
export type BrokenLimit = Limit['rejection']

type BoundsOf<One> = One extends { limit: (of: never) => infer Bounds } ? Bounds : never
type AllOf<Each> = (Each extends unknown ? (one: Each) => void : never) extends (all: infer All) => void ? All : never

/** The bounds of a claim, those of all its limits. Payments in flight count for `horizonMs`. */
export type ClaimLimits = { readonly horizonMs: number } & Readonly<AllOf<BoundsOf<Limit>>>

export const guards: readonly (Guard & { rejection: BrokenLimit })[] = LIMITS

/** The bounds of a claim. */
export function limitsOf(of: BoundFacts): ClaimLimits {
  const bounds = guards.flatMap(({ limit }) => (limit ? Object.entries(limit(of)) : []))
  // The type is made from the same list.
  return Object.fromEntries([['horizonMs', of.horizonMs], ...bounds]) as ClaimLimits
}

/** The limit that a claim broke. */
export function guardOf(broken: BrokenLimit): Guard {
  const found = guards.find(({ rejection }) => rejection === broken)
  if (!found) throw new Error(`no limit of claims is called "${broken}"`)
  return found
}
