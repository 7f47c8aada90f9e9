import { sql } from '../../db/sql'
import { guard, LATELY } from './guard'

/** Failures on the chain within an hour that pause a payer at one party. We paid for each. */
export const PAYER_FAILURES_MAX = 3
/** This many, at this many parties, pause it everywhere. */
const FAILURES_EVERYWHERE_MAX = 9
const FAILURES_PARTIES_MIN = 3

/** What may be a merchant's doing counts at that merchant alone. */
const CERTAIN = sql`f."kind" <> 'unclear'`

/** Keys that wallets made cost nothing: all of them are one party here. */
const PARTY = sql`CASE WHEN f."party" LIKE 'owner:wallet:%:free' THEN 'wallets' ELSE f."party" END`

/** Failures of one payer. A payer with one shares its transactions with no other payment (`failing`). */
export const payerFailures = guard({
  rejection: 'payer failures',
  limit: () => ({
    payerFailures: PAYER_FAILURES_MAX,
    failuresEverywhere: FAILURES_EVERYWHERE_MAX,
    failuresParties: FAILURES_PARTIES_MIN,
  }),
  columns: sql`"payerFailures" int, "failuresEverywhere" int, "failuresParties" int`,
  join: sql`CROSS JOIN LATERAL (
    SELECT count(*) > 0 AS "failing", count(*) FILTER (WHERE f."party" = a."party") AS "failedHere",
      count(*) FILTER (WHERE ${CERTAIN}) AS "failed", count(DISTINCT ${PARTY}) FILTER (WHERE ${CERTAIN}) AS "failedParties"
    FROM "PayerFailure" f WHERE f."network" = a."network" AND f."payer" = a."payer" AND ${LATELY}) failures`,
  holds: sql`a."failedHere" < a."payerFailures" AND (a."failed" < a."failuresEverywhere" OR a."failedParties" < a."failuresParties")`,
  reason: 'payer_failures',
  text: () =>
    'three payments of this payer failed on the chain within an hour; its next ones are taken again when that hour is over',
  retryAfter: 600,
})
