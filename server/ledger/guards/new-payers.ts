import { sql } from '../../db/sql'
import { inDecimals } from '../../x402/networks/amounts'
import { SHOWS_PAYER } from '../statements/settlements'
import { guard, IN_FLIGHT, LATELY } from './guard'

/** Failures on the chain within an hour, of any payers, that put a party under guard. */
const GUARD_AT = 10
/** The maximum payments in flight of payers that are new to a guarded party. Each is alone in its transaction. */
const ALONE_QUEUE_MAX = 3
/** A payment of one whole token, a day ago, makes a payer known at every party; here with six decimals. */
const KNOWN_FROM = 1_000_000n

// A place is free as soon as a block has the transaction without the payment: its failure is certain many seconds later.
const ALONE = sql`(SELECT count(*)::int FROM (
  SELECT 1 FROM "Settlement" s WHERE s."party" = q."party" AND s."network" = q."network" AND s."newcomer" AND s."missedAt" IS NULL AND ${IN_FLIGHT} LIMIT q."aloneQueue") s)`

const FAILURES = sql`(SELECT count(*)::int FROM (
  SELECT 1 FROM "PayerFailure" f WHERE f."network" = q."network" AND f."party" = q."party" AND ${LATELY} LIMIT q."guardAt") f)`

/** What went into a channel and may come back, and what moved nothing, proves no payer. A payment to this party counts at once, one to another party only when it was not made for this: it is old and large enough. */
const HAS_PAID = sql`
  EXISTS (SELECT 1 FROM "Settlement" s WHERE s."payer" = a."payer" AND s."network" = a."network" AND s."state" = 'FINAL' AND ${SHOWS_PAYER} AND (s."party" = a."party"
    OR (s."asset" = a."asset" AND s."amount" >= a."knownFrom" AND s."createdAt" < now() - interval '1 day')))`

/** Payments in flight of payers that never paid a party under guard. The statement records them as `newcomer`. */
export const newPayers = guard({
  rejection: 'new payers',
  limit: ({ decimals }) => ({
    guardAt: GUARD_AT,
    aloneQueue: ALONE_QUEUE_MAX,
    knownFrom: inDecimals(KNOWN_FROM, decimals, 'up'),
  }),
  columns: sql`"guardAt" int, "aloneQueue" int, "knownFrom" numeric`,
  perParty: {
    bounds: sql`max("aloneQueue") AS "aloneQueue", max("guardAt") AS "guardAt"`,
    count: sql`${ALONE} AS "aloneQueued", ${FAILURES} >= q."guardAt" AS "guarded"`,
  },
  facts: sql`"guarded" AND NOT ${HAS_PAID} AS "newcomer"`,
  holds: sql`NOT a."newcomer"
    OR a."aloneQueued" + row_number() OVER (PARTITION BY a."party", a."network", a."newcomer" ORDER BY a."at") - 1 < a."aloneQueue"`,
  reason: 'payer_queue_full',
  text: () =>
    'payments to you failed on the chain within the hour, so payers that are new to you take turns; send it again in a moment',
  retryAfter: 5,
})
