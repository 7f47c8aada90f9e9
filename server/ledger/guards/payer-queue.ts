import { sql } from '../../db/sql'
import { guard, IN_FLIGHT } from './guard'
import { PAYER_FAILURES_MAX } from './payer-failures'

/** The maximum payments in flight of one payer on one network, by what proves them. */
const PAYER_QUEUE_MAX = {
  key: 200,
  // Code may behave differently in a check and on the chain: after this many failures no further one is sent.
  code: PAYER_FAILURES_MAX,
  // A wallet that is not deployed yet pays one at a time: its next payment then needs no deployment.
  factory: 1,
  // On Solana the payer builds the transaction, so it can make it fail, and we learn that later.
  'own bytes': 10,
  // A smart wallet's program may do something else on the chain than in its simulation.
  'own program': 1,
}

/** The same while the party is guarded against new payers. */
const GUARDED_PAYER_QUEUE_MAX = 2

/** Payments in flight of one payer on one network. */
export const payerQueue = guard({
  rejection: 'payer queue',
  limit: ({ proof, gasEach }) => ({
    payerQueue: gasEach === null ? PAYER_QUEUE_MAX.key : PAYER_QUEUE_MAX[proof],
    guardedPayerQueue: GUARDED_PAYER_QUEUE_MAX,
  }),
  columns: sql`"payerQueue" int, "guardedPayerQueue" int`,
  ahead: sql`(row_number() OVER (PARTITION BY c."payer", c."network" ORDER BY c."at") - 1)::int AS "payerAhead"`,
  perPayer: {
    bounds: sql`max("payerQueue") AS "payerQueue"`,
    count: sql`(SELECT count(*)::int FROM (
      SELECT 1 FROM "Settlement" s WHERE s."payer" = q."payer" AND s."network" = q."network" AND ${IN_FLIGHT} LIMIT q."payerQueue") s) AS "payerQueued"`,
  },
  holds: sql`a."payerQueued" + a."payerAhead" < CASE WHEN a."guarded" THEN LEAST(a."payerQueue", a."guardedPayerQueue") ELSE a."payerQueue" END`,
  reason: 'payer_queue_full',
  text: () => 'this payer has too many payments on their way already; send it again when some have landed',
  retryAfter: 2,
})
