import { sql } from '../../db/sql'
import { APPROVALS_A_DAY } from '../statements/approvals'
import { APPROVALS_PURSE } from '../statements/usage'
import { spentOf } from './gas-budget'
import { guard } from './guard'

/** The day's ether for payers' own approvals lasts for this one. What sends it counts exactly. */
export const approvals = guard({
  rejection: 'approvals',
  limit: ({ approving, approvalMax }) => ({
    approvalsBefore: approving === null ? null : APPROVALS_A_DAY * approvalMax - approving,
  }),
  columns: sql`"approvalsBefore" numeric`,
  holds: sql`a."approvalsBefore" IS NULL OR ${spentOf(sql`${APPROVALS_PURSE}`)} <= a."approvalsBefore"`,
  reason: 'gas_budget_exceeded',
  text: ({ title }) =>
    `what this facilitator pays a day for payers' approvals on ${title} is spent; let the payer approve Permit2 itself, or wait until midnight UTC`,
  retryAfter: 'midnight',
})
