import { sql } from '../../db/sql'
import { guard } from './guard'

/** Channels on Solana without a charge that a key, one that costs nothing, and one payer of a key may have open at once. */
const OPEN_OF_KEY_MAX = 100
const OPEN_OF_FREE_KEY_MAX = 20
const OPEN_OF_PAYER_MAX = 10
/** The part of all open channels that keys that cost nothing share. */
const FREE_SHARE = 10
/** The part that one key may have open, charged ones included: of all, or of what keys that cost nothing share. */
const KEY_SHARE = 4

/**
 * The rent that is fronted for channels. A charged one counts for its network and key until the rent is back, some ten minutes after it was
 * opened. The database's function locks their count until the claim commits, so that no two claims take the last place. Such a claim has a
 * statement of its own.
 */
export const openChannels = guard({
  rejection: 'open channels',
  limit: ({ opensChannel, budgets }) => ({
    channelsMax: opensChannel,
    freeChannelsMax: freeOf(opensChannel ?? 0),
    keyChannelsMax: Math.ceil((budgets.free === null ? (opensChannel ?? 0) : freeOf(opensChannel ?? 0)) / KEY_SHARE),
    ownChannelsMax: budgets.free === null ? OPEN_OF_KEY_MAX : OPEN_OF_FREE_KEY_MAX,
    payerChannelsMax: OPEN_OF_PAYER_MAX,
  }),
  columns: sql`"channelsMax" int, "freeChannelsMax" int, "keyChannelsMax" int, "ownChannelsMax" int, "payerChannelsMax" int`,
  // Only asked where it counts: it takes a lock.
  holds: sql`CASE WHEN a."channelsMax" IS NULL THEN true ELSE NOT "uptoChannelsFull"(a."network", a."tenantId", a."payer", a."freeFrom" IS NOT NULL,
    a."channelsMax", a."freeChannelsMax", a."keyChannelsMax", a."ownChannelsMax", a."payerChannelsMax") END`,
  reason: 'queue_full',
  text: () =>
    'too many channels are open; a place is free when one is charged or has expired, at the latest when its rent is back',
  retryAfter: 60,
})

const freeOf = (most: number) => Math.ceil(most / FREE_SHARE)
