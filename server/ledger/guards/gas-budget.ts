import { type Sql, sql } from '../../db/sql'
import { purseOf, TODAY } from '../statements/usage'
import { type BoundFacts, guard } from './guard'
import { partyQueue } from './party-queue'

/** More than any budget: another facilitator's gas is not ours to count. */
const UNBOUNDED = 10n ** 60n

/** Payers keep what is left of the ether for their approvals: a tenth of a day's gas budget, above which none is paid for. */
const APPROVALS_SHARE = 10n

/** The part of a day's gas budget that a claim may fill. */
export function shareOf(budget: bigint, { gasEach, approving }: BoundFacts): bigint {
  if (gasEach === null) return UNBOUNDED
  return budget / (approving === null ? 1n : APPROVALS_SHARE)
}

/** What a budget spent today on the network of the claim `a`. */
export const spentOf = (budget: Sql) => sql`COALESCE((
  SELECT g."spent" FROM "GasSpend" g WHERE g."day" = ${TODAY} AND g."budget" = ${budget} AND g."network" = a."network"), 0)`

/** Whether so much has room in a day's budget beside what is spent. A budget that is spent to the last unit takes nothing more. */
export const fits = (spent: Sql, gas: Sql, budget: Sql) => sql`(${spent} < ${budget} AND ${spent} + ${gas} <= ${budget})`

const hasRoom = (gas: Sql) => fits(sql`a."spent"`, gas, sql`a."gasBudget"`)

/** The day's gas of the claim's owner and plan: with nothing in flight, it pays for one more transfer. */
export const gasBudget = guard({
  rejection: 'gas budget',
  limit: (of) => ({ gasBudget: shareOf(of.budgets.own, of), gasEach: of.gasEach ?? 0n }),
  columns: sql`"gasBudget" numeric, "gasEach" numeric`,
  facts: sql`${spentOf(purseOf(sql`a."tenantId"`, sql`a."party"`))} AS "spent"`,
  holds: hasRoom(sql`a."gasEach"`),
  reason: 'gas_budget_exceeded',
  text: ({ hasKey, title }) =>
    `today's gas budget of ${hasKey ? "this API key's owner and plan" : 'the sandbox'} on ${title} does not pay for another settlement; it resets at midnight UTC`,
  retryAfter: 'midnight',
})

/** The same beside the party's payments in flight, which are not charged yet: some must land first. */
export const gasInFlight = guard({
  rejection: partyQueue.rejection,
  holds: hasRoom(sql`(a."partyQueued" + a."partyAhead" + 1) * a."gasEach"`),
  reason: partyQueue.reason,
  text: partyQueue.text,
  retryAfter: partyQueue.retryAfter,
})
