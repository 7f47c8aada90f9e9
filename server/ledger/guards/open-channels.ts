import { sql } from '../../db/sql'
import { guard } from './guard'

/** Channels on Solana without a charge that a key, one that costs nothing, and one payer of a key may have open at once. */
const OPEN_OF_KEY_MAX = 100
const OPEN_OF_FREE_KEY_MAX = 20
const OPEN_OF_PAYER_MAX = 10
/** The part of all open channels that keys that cost nothing share. */
const FREE_SHARE = 10

/**
 * The rent that is fronted for channels. A charged one counts on its network until the rent is back, some ten minutes after it was opened. The database's function locks their count until the claim commits, so that no two claims take the
 * last place. Such a claim has a statement of its own.
 */
export const openChannels = guard({
  rejection: 'open channels',
  limit: ({ opensChannel, budgets }) => ({
    channelsMax: opensChannel,
    freeChannelsMax: Math.ceil((opensChannel ?? 0) / FREE_SHARE),
    ownChannelsMax: budgets.free === null ? OPEN_OF_KEY_MAX : OPEN_OF_FREE_KEY_MAX,
    payerChannelsMax: OPEN_OF_PAYER_MAX,
  }),
  columns: sql`"channelsMax" int, "freeChannelsMax" int, "ownChannelsMax" int, "payerChannelsMax" int`,
  // Only asked where it counts: it takes a lock.
  holds: sql`CASE WHEN a."channelsMax" IS NULL THEN true ELSE NOT "uptoChannelsFull"(a."network", a."tenantId", a."payer", a."freeFrom" IS NOT NULL,
    a."channelsMax", a."freeChannelsMax", a."ownChannelsMax", a."payerChannelsMax") END`,
  reason: 'queue_full',
  text: () => 'too many channels are open; one is free when it is charged or has expired, and on a network when its rent is back',
  retryAfter: 60,
})
