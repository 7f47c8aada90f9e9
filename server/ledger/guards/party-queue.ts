import { sql } from '../../db/sql'
import { guard, IN_FLIGHT } from './guard'

/** The maximum payments in flight of one party on one network. */
const PARTY_QUEUE_MAX = 500
/** The same for payments that deploy their payer's wallet: each may cost seven times the gas. */
const DEPLOYING_PARTY_QUEUE_MAX = 50

/** Payments in flight of one party on one network. One that came back from a batch waits for its payer's money and does not count. */
export const partyQueue = guard({
  rejection: 'party queue',
  limit: ({ proof }) => ({ partyQueue: proof === 'factory' ? DEPLOYING_PARTY_QUEUE_MAX : PARTY_QUEUE_MAX }),
  columns: sql`"partyQueue" int`,
  ahead: sql`(row_number() OVER (PARTITION BY c."party", c."network" ORDER BY c."at") - 1)::int AS "partyAhead"`,
  perParty: {
    bounds: sql`max("partyQueue") AS "partyQueue"`,
    count: sql`(SELECT count(*)::int FROM (
      SELECT 1 FROM "Settlement" s WHERE s."party" = q."party" AND s."network" = q."network" AND s."returns" = 0 AND ${IN_FLIGHT} LIMIT q."partyQueue") s) AS "partyQueued"`,
  },
  holds: sql`a."partyQueued" + a."partyAhead" < a."partyQueue"`,
  reason: 'queue_full',
  text: () => 'too many of your payments are on their way on this network already; send it again when some have landed',
  retryAfter: 2,
})
