import { sql } from '../../db/sql'
import { guard } from './guard'

/** Channels on Solana that a key, and one payer of it, may have open at once: the service fronts the rent of each. */
const OPEN_CHANNELS_MAX = 100
const OPEN_OF_PAYER_MAX = 10

/** The rent that is fronted for a key's channels. Claims of one statement may go beyond it together. */
export const openChannels = guard({
  rejection: 'open channels',
  limit: ({ opensChannel }) => ({ channelsMax: opensChannel ? OPEN_CHANNELS_MAX : null, payerChannelsMax: OPEN_OF_PAYER_MAX }),
  columns: sql`"channelsMax" int, "payerChannelsMax" int`,
  // Only counted where it matters.
  holds: sql`CASE WHEN a."channelsMax" IS NULL THEN true ELSE (
    SELECT count(*) < a."channelsMax" AND count(*) FILTER (WHERE u."payer" = a."payer") < a."payerChannelsMax"
    FROM "UptoChannel" u WHERE u."tenantId" = a."tenantId" AND u."closedAt" IS NULL) END`,
  reason: 'queue_full',
  text: () => 'too many channels of this key or payer are open; they close when they are charged, or after they expire',
  retryAfter: 60,
})
