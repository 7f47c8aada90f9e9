import { chargingKeysOf, type Owner, ownershipsOf } from '../../accounts/tenant-queries'

import type { Db } from '../../db/database'
import { join, type Sql, sql } from '../../db/sql'
import { CLAIM_AFTER_S, DELAY_SHARE } from './managed/policy'
import { CLAIMED_HERE } from './stored-queries'

/** How a channel stands: its payer withdraws, nothing is left in it, or neither. */
export const channelStates = ['open', 'withdrawing', 'closed'] as const

/** Which channels: of a merchant's keys, or of the wallet that pays. Of a payer's channels the merchant's charges are not its own. */
export type ChannelScope = { owner: Owner } | { payer: string }

export type ChannelFilter = {
  networks: readonly string[]
  state?: (typeof channelStates)[number] | undefined
  /** The beginning of the payer's address, in lower case. */
  payer?: string | undefined
}

/** The place of a row in the list: newest first. Milliseconds. */
export type ChannelPlace = { at: number; id: string }

/** A channel as it is listed. Amounts are digits of atomic units. */
export type ListedChannel = {
  network: string
  id: string
  keyId: string
  keyName: string
  /** As its payer chose it: addresses in lower case. */
  config: Record<string, string | number>
  payer: string
  receiver: string
  token: string
  state: (typeof channelStates)[number]
  balance: string
  signed: string
  charged: string
  /** How many requests were charged; null if not all were counted. */
  requests: string | null
  claimed: string
  /** When the service claims at the latest; null where nothing is owed, or the merchant's server claims. */
  claimBy: Date | null
  /** Whether the service claims by itself. */
  stored: boolean
  withdrawing: string
  withdrawDelay: number
  /** When the payer asked to withdraw, and when it can take what is left. */
  withdrawAt: Date | null
  withdrawBy: Date | null
  unclaimable: string | null
  usedAt: Date | null
  createdAt: Date
}

const EMPTY = sql`(c."balance" <= c."claimed" AND c."charged" <= c."claimed" AND c."syncedBlock" IS NOT NULL)`
const STATE = sql`CASE WHEN c."withdrawAt" IS NOT NULL THEN 'withdrawing' WHEN ${EMPTY} THEN 'closed' ELSE 'open' END`
const DELAY = sql`(c."config"->>'withdrawDelay')::bigint`

const COLUMNS = sql`c."network", c."id", c."config", c."payer", c."receiver", c."token", c."stored", c."unclaimable", c."usedAt", c."createdAt", c."withdrawAt",
  c."balance"::text, c."signed"::text, c."charged"::text, c."requests"::text, c."claimed"::text,
  c."withdrawing"::text, ${STATE} AS "state", ${DELAY}::double precision AS "withdrawDelay",
  c."withdrawAt" + ${DELAY} * interval '1 second' AS "withdrawBy",
  CASE WHEN ${CLAIMED_HERE} THEN
    c."owedSince" + LEAST(COALESCE(t."claimAfterSeconds", ${CLAIM_AFTER_S}::int), ${DELAY} / ${DELAY_SHARE}::int) * interval '1 second'
  END AS "claimBy", t."id" AS "keyId", t."name" AS "keyName"`

function conditionsOf({ networks, state, payer }: ChannelFilter): Sql[] {
  return [
    sql`c."network" = ANY(${[...networks]}::text[])`,
    // A deleted channel without a deposit stays for a late deposit only.
    sql`(c."deletedAt" IS NULL OR c."heldAt" IS NOT NULL)`,
    ...(state === undefined ? [] : [sql`${STATE} = ${state}`]),
    ...(payer === undefined ? [] : [sql`starts_with(c."payer", ${payer}::text)`]),
  ]
}

const tenantsOf = (owner: Owner): Sql => sql`(${join(ownershipsOf(chargingKeysOf(owner), 'Tenant'), ' OR ')})`

/** A page of channels, newest first: at most so many, below a place. */
export async function listChannels(
  db: Db,
  scope: ChannelScope,
  filter: ChannelFilter,
  { below, limit }: { below: ChannelPlace | null; limit: number },
): Promise<ListedChannel[]> {
  const { at, id } = below ?? { at: 0, id: '' }
  const under = below === null ? [] : [sql`(c."createdAt", c."id") < (to_timestamp(${at}::double precision / 1000), ${id}::text)`]
  const where = join([...conditionsOf(filter), ...under], ' AND ')
  const newest = sql`ORDER BY c."createdAt" DESC, c."id" DESC LIMIT ${limit}::int`
  if ('payer' in scope) {
    // Any merchant can name a payer: only a deposit shows that it paid.
    return db.query<ListedChannel>`
      SELECT ${COLUMNS} FROM "Channel" c JOIN "Tenant" t ON t."id" = c."tenantId"
      WHERE c."payer" = ${scope.payer} AND (c."balance" > 0 OR c."claimed" > 0) AND ${where} ${newest}`
  }
  // Each key's channels are in the order of an index.
  return db.query<ListedChannel>`
    SELECT c.* FROM (SELECT * FROM "Tenant" WHERE ${tenantsOf(scope.owner)}) t
    CROSS JOIN LATERAL (SELECT ${COLUMNS} FROM "Channel" c WHERE c."tenantId" = t."id" AND ${where} ${newest}) c ${newest}`
}

/** One channel of this scope by its id; null if it has none. */
export async function findListed(
  db: Db,
  scope: ChannelScope,
  { network, id }: { network: string; id: string },
): Promise<ListedChannel | null> {
  const own = 'payer' in scope ? sql`c."payer" = ${scope.payer}` : tenantsOf(scope.owner)
  const [found] = await db.query<ListedChannel>`
    SELECT ${COLUMNS} FROM "Channel" c JOIN "Tenant" t ON t."id" = c."tenantId" WHERE c."network" = ${network} AND c."id" = ${id} AND ${own}`
  return found ?? null
}

/** The sums of the channels of a merchant in a token of a network, digits of atomic units. */
type ChannelSums = {
  network: string
  token: string
  channels: number
  balance: string
  charged: string
  claimed: string
  atRisk: string
}

/** The sums of the channels that a filter finds, by network and token. */
export function sumChannels(db: Db, owner: Owner, filter: ChannelFilter): Promise<ChannelSums[]> {
  return db.query<ChannelSums>`
    SELECT c."network", c."token", count(*)::int AS "channels", sum(c."balance")::text AS "balance", sum(c."charged")::text AS "charged",
      sum(c."claimed")::text AS "claimed", sum(GREATEST(c."charged" - c."claimed", 0))::text AS "atRisk"
    FROM "Channel" c WHERE c."tenantId" IN (SELECT "id" FROM "Tenant" WHERE ${tenantsOf(owner)}) AND ${join(conditionsOf(filter), ' AND ')}
    GROUP BY 1, 2 ORDER BY 1, 2`
}

/** What vouchers were charged in a token of a network since a day. */
type ChannelUse = { network: string; token: string; requests: string; charged: string }

/** What the vouchers of a merchant's keys were charged since a UTC day, by network and token. It is settled by claims, so it is no revenue beside them. */
export function sumUsage(
  db: Db,
  owner: Owner,
  { networks, since }: { networks: readonly string[]; since: Date },
): Promise<ChannelUse[]> {
  return db.query<ChannelUse>`
    SELECT u."network", u."token", sum(u."requests")::text AS "requests", sum(u."charged")::text AS "charged" FROM "ChannelUsage" u
    WHERE u."tenantId" IN (SELECT "id" FROM "Tenant" WHERE ${tenantsOf(owner)}) AND u."network" = ANY(${[...networks]}::text[])
      AND u."day" >= ${since.toISOString().slice(0, 10)}::date
    GROUP BY 1, 2 ORDER BY 1, 2`
}

/** A claim or refund of a channel: the total that it claims, the amount that it moves, and how its transaction stands. */
type ListedClaim = { kind: string; total: string; amount: string; state: string; txHash: string | null; createdAt: Date }

/** The newest claims and refunds of a channel. */
export function listClaims(db: Db, { network, id }: { network: string; id: string }, limit: number): Promise<ListedClaim[]> {
  return db.query<ListedClaim>`
    SELECT s."kind", l."total"::text, s."amount"::text, s."state", s."txHash", s."createdAt" FROM "ChannelClaim" l JOIN "Settlement" s ON s."id" = l."settlementId"
    WHERE l."network" = ${network} AND l."channelId" = ${id} ORDER BY l."total" DESC, s."createdAt" DESC LIMIT ${limit}::int`
}
