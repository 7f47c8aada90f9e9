import type { Db } from '../../db/database'
import { whileBusy } from '../../db/database'
import { type Sql, sql } from '../../db/sql'
import type { EvmNetworkId } from '../../x402/networks/networks'
import type { ChannelConfig } from '../../x402/schemes/batch-settlement/channel'

/** The request that a merchant's server is serving, as that server writes it. `expiresAt` is Unix milliseconds of its clock. */
export type PendingRequest = { pendingId: string; signedMaxClaimable: string; expiresAt: number }

/** A channel that a merchant's server keeps here, with what the chain says of it. Amounts are digits of atomic units. */
export type StoredChannel = {
  id: string
  config: ChannelConfig
  signed: string
  signature: string | null
  charged: string
  version: bigint
  pending: PendingRequest | null
  usedAt: Date | null
  balance: string
  claimed: string
  refundNonce: string
  withdrawing: string
  withdrawAt: Date | null
  syncedAt: Date | null
  unclaimable: string | null
  /** Whether a refund of it is on its way. */
  refunding: boolean
}

/** A write of a merchant's server. `expected`: the version that it read; null: it found no such channel. */
type ChannelWrite = {
  network: EvmNetworkId
  id: string
  tenantId: string
  expected: bigint | null
  mutation: string
  config: ChannelConfig
  signed: bigint
  signature: string
  charged: bigint
  pending: PendingRequest | null
  usedAt: Date
}

/**
 * What came of a write. `repeated`: the same write was done before; `moved`: the channel has another version, or is gone (`row` null);
 * `falls`: it would charge less than before; `refunding`: it has a higher voucher while a refund is on its way; `full`: the tenant has too many
 * channels that never had a deposit.
 */
export type Written =
  | { end: 'written' | 'repeated'; row: StoredChannel }
  | { end: 'moved'; row: StoredChannel | null }
  | { end: 'falls' | 'refunding'; row: StoredChannel }
  | { end: 'full' }

/** How many channels without a deposit a tenant may have. They cost a stranger nothing. */
export const UNDEPOSITED_MAX = 1_000
/** For how long a deposit is waited for before its channel gives way to others. */
const DEPOSIT_WAIT_S = 120
/**
 * Of so many writers of a channel the newest write is known again. A writer has one write of a channel under way, so what others write
 * meanwhile hides nothing, however much it is. It names its writes "<writer>.<number>"; any other name is a writer of its own.
 */
const WRITERS_KNOWN = 16

/** The names of writes that are known after this one. */
const knownAfter = (mutation: Sql, known: Sql) => sql`
  (${mutation} || ARRAY(SELECT m."name" FROM unnest(${known}) WITH ORDINALITY AS m("name", "at")
    WHERE split_part(m."name", '.', 1) <> split_part(${mutation}, '.', 1) ORDER BY m."at"))[1:${WRITERS_KNOWN}::int]`

/** Whether a refund of a channel is on its way. */
export const isRefunding = (of: Sql) => sql`COALESCE(${of}."refundingUntil" > now(), false)`

const columns = (of: Sql) => sql`
  ${of}."id", ${of}."config", ${of}."signed"::text, ${of}."signature", ${of}."charged"::text, ${of}."version", ${of}."pending",
  ${of}."usedAt", ${of}."balance"::text, ${of}."claimed"::text, ${of}."refundNonce"::text, ${of}."withdrawing"::text,
  ${of}."withdrawAt", ${of}."syncedAt", ${of}."unclaimable", ${isRefunding(of)} AS "refunding"`

const OF_CHANNEL = columns(sql`c`)

/** A channel that its merchant deleted has an unclaimed charge: it is kept as it is until that is claimed. */
export const KEPT = sql`(c."stored" AND (c."deletedAt" IS NULL OR c."charged" > c."claimed"))`

/** Whether the service claims a channel and pays out what it claims: one that is kept here, and any whose payer withdraws. */
export const CLAIMED_HERE = sql`(c."stored" OR c."withdrawAt" IS NOT NULL)`

/** A channel that a tenant keeps here. Null if there is none, or it was deleted. */
export const findStored: (
  db: Db,
  asked: { network: EvmNetworkId; id: string; tenantId: string },
) => Promise<StoredChannel | null> = whileBusy(async (db, asked) => {
  const rows = await db.query<StoredChannel & { at: number }>`
    SELECT a."at", ${OF_CHANNEL}
    FROM jsonb_to_recordset(${JSON.stringify(asked.map((one, at) => ({ ...one, at })))}::jsonb)
      AS a("at" int, "network" text, "id" text, "tenantId" uuid)
    JOIN "Channel" c ON c."network" = a."network" AND c."id" = a."id" AND c."tenantId" = a."tenantId"
      AND c."stored" AND c."deletedAt" IS NULL`
  const found = new Map(rows.map(({ at, ...row }) => [at, row]))
  return asked.map((_, at) => found.get(at) ?? null)
})

/** A page of the channels that a tenant keeps here, by their ids. */
export function listStored(
  db: Db,
  { network, tenantId, after, limit }: { network: EvmNetworkId; tenantId: string; after: string; limit: number },
): Promise<StoredChannel[]> {
  return db.queryUnprepared<StoredChannel>`
    SELECT ${OF_CHANNEL} FROM "Channel" c
    WHERE c."tenantId" = ${tenantId}::uuid AND c."network" = ${network} AND c."stored" AND c."deletedAt" IS NULL AND c."id" > ${after}
    ORDER BY c."id" LIMIT ${limit}`
}

/** Writes a channel if it still has the version that its writer read, and counts what the write charges. Durable when it resolves. */
export async function writeStored(db: Db, write: ChannelWrite): Promise<Written> {
  // Two writers that create a channel in one moment: one finds that of the other at its second try.
  for (let created = 0; created < 2; ) {
    const written = await tryWrite(db, write)
    if (typeof written === 'object') return written
    if (written === 'created meanwhile') created++
  }
  return { end: 'moved', row: null }
}

// A count begins before the first charge. A channel that was deleted may have been charged elsewhere.
const REQUESTS = sql`CASE
  WHEN j."charged" = 0 THEN 0
  WHEN j."charged" = j."before" THEN c."requests"
  WHEN c."deletedAt" IS NULL THEN c."requests" + 1 END`

type Row = StoredChannel & { at: number; end: Written['end'] }

/** As `writeStored`, or why it must be tried again. */
const tryWrite: (db: Db, write: ChannelWrite) => Promise<Written | 'later' | 'created meanwhile'> = whileBusy(
  async (db, writes) => {
    // One statement cannot write a row twice: of several writes of a channel the first one goes.
    const first = new Map(writes.map((write, at) => [`${write.network} ${write.id}`, at] as const).reverse())
    const asked = [...first.values()].map((at) => {
      const write = writes[at]
      return (
        write && { ...write, at, expected: textOf(write.expected), signed: String(write.signed), charged: String(write.charged) }
      )
    })
    const rows = await db.query<Row>`
    WITH a AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) AS a("at" int, "network" text, "id" text, "tenantId" uuid,
        "expected" bigint, "mutation" text, "config" jsonb, "signed" numeric, "signature" text, "charged" numeric, "pending" jsonb,
        "usedAt" timestamptz)
    ), known AS MATERIALIZED (
      SELECT c.* FROM a JOIN "Channel" c ON c."network" = a."network" AND c."id" = a."id" AND c."tenantId" = a."tenantId"
      ORDER BY c."network", c."id" FOR UPDATE OF c
    ), judged AS MATERIALIZED (
      SELECT a.*, k."charged" AS "before", (k."stored" AND k."deletedAt" IS NULL) AS "wasStored", CASE
        WHEN k."id" IS NULL AND a."expected" IS NOT NULL THEN 'moved'
        WHEN k."id" IS NULL THEN CASE WHEN ${UNDEPOSITED_MAX} > (SELECT count(*) FROM (
          SELECT 1 FROM "Channel" u WHERE u."tenantId" = a."tenantId" AND u."stored" AND u."heldAt" IS NULL
          LIMIT ${UNDEPOSITED_MAX}) counted) THEN 'new' ELSE 'full' END
        WHEN a."mutation" = ANY (k."mutations") THEN 'repeated'
        -- Who found no channel here, and knows of a lower charge than we do, learns it by the row.
        WHEN a."expected" IS NULL AND ((k."stored" AND k."deletedAt" IS NULL) OR a."charged" < k."charged") THEN 'moved'
        WHEN a."expected" <> k."version" THEN 'moved'
        WHEN a."charged" < k."charged" THEN 'falls'
        WHEN ${isRefunding(sql`k`)} AND (a."signed" > k."signed"
          OR (a."pending"->>'pendingId' IS DISTINCT FROM k."pending"->>'pendingId' AND (a."pending"->>'signedMaxClaimable')::numeric > k."charged"))
          THEN 'refunding'
        ELSE 'written' END AS "end"
      FROM a LEFT JOIN known k ON k."network" = a."network" AND k."id" = a."id"
    ), updated AS (
      UPDATE "Channel" c SET "signed" = j."signed", "signature" = j."signature", "charged" = j."charged", "pending" = j."pending",
        "requests" = ${REQUESTS}, "usedAt" = j."usedAt", "stored" = true, "deletedAt" = NULL, "version" = c."version" + 1,
        -- One that begins anew without a deposit waits for one as a new channel does.
        "createdAt" = CASE WHEN c."deletedAt" IS NOT NULL AND c."heldAt" IS NULL THEN CURRENT_TIMESTAMP ELSE c."createdAt" END,
        -- Another voucher may be one that can be claimed.
        "unclaimable" = CASE WHEN j."signature" = c."signature" THEN c."unclaimable" END,
        "mutations" = ${knownAfter(sql`j."mutation"`, sql`c."mutations"`)}
      FROM judged j WHERE j."end" = 'written' AND c."network" = j."network" AND c."id" = j."id"
      RETURNING c.*
    ), inserted AS (
      INSERT INTO "Channel" AS c ("network", "id", "tenantId", "config", "payer", "receiver", "token", "signed", "signature", "charged",
        "requests", "stored", "version", "mutations", "pending", "usedAt")
      SELECT j."network", j."id", j."tenantId", j."config", j."config"->>'payer', j."config"->>'receiver', j."config"->>'token',
        j."signed", j."signature", j."charged", CASE WHEN j."charged" = 0 THEN 0 END, true, 1, ARRAY[j."mutation"], j."pending", j."usedAt"
      FROM judged j WHERE j."end" = 'new' ORDER BY j."network", j."id"
      ON CONFLICT DO NOTHING
      RETURNING c.*
    ), counted AS (
      INSERT INTO "ChannelUsage" AS u ("tenantId", "day", "network", "token", "requests", "charged")
      SELECT c."tenantId", (CURRENT_TIMESTAMP AT TIME ZONE 'UTC')::date, c."network", c."token", count(*), sum(c."charged" - j."before")
      FROM updated c JOIN judged j ON j."network" = c."network" AND j."id" = c."id"
      -- What was charged before a channel came here was counted nowhere, and is not of today.
      WHERE j."wasStored" AND c."charged" > j."before"
      GROUP BY c."tenantId", c."network", c."token" ORDER BY c."tenantId", c."network", c."token"
      ON CONFLICT ("tenantId", "day", "network", "token") DO UPDATE SET
        "requests" = u."requests" + EXCLUDED."requests", "charged" = u."charged" + EXCLUDED."charged"
    )
    SELECT j."at", j."end", ${OF_CHANNEL}
    FROM judged j LEFT JOIN (SELECT * FROM updated UNION ALL SELECT * FROM inserted UNION ALL
      SELECT k.* FROM known k JOIN judged o ON o."network" = k."network" AND o."id" = k."id" AND o."end" <> 'written'
      WHERE NOT (o."end" = 'moved' AND k."deletedAt" IS NOT NULL AND k."charged" = 0)) c
      ON c."network" = j."network" AND c."id" = j."id"`
    const found = new Map(rows.map(({ at, ...row }) => [at, writtenOf(row)]))
    return writes.map((_, at) => found.get(at) ?? 'later')
  },
)

const textOf = (version: bigint | null) => (version === null ? null : String(version))

function writtenOf({ end, ...row }: Omit<Row, 'at' | 'end'> & { end: Written['end'] | 'new' }): Written | 'created meanwhile' {
  const exists = row.id !== null
  if (end === 'full') return { end }
  if (end === 'moved') return { end, row: exists ? row : null }
  if (!exists) return 'created meanwhile'
  return { end: end === 'new' ? 'written' : end, row }
}

/** What came of a deletion. `kept`: what is unclaimed of the channel, which is still claimed; null: nothing is. */
export type Deleted = { end: 'deleted'; kept: string | null } | { end: 'moved'; row: StoredChannel } | { end: 'absent' }

/** Whether a deposit of a channel is on its way. */
const isDepositing = (of: Sql) => sql`EXISTS (
  SELECT 1 FROM "Settlement" s WHERE s."payer" = ${of}."payer" AND s."network" = ${of}."network" AND s."tenantId" = ${of}."tenantId"
    AND s."kind" = 'deposit' AND s."state" IN ('CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED', 'INCLUDED'))`

// A charge that no deposit covers. A server that begins anew must not find it.
const UNCOVERED = sql`(k."charged" > 0 AND k."presented" = 0 AND k."heldAt" IS NULL AND NOT ${isDepositing(sql`k`)})`

/**
 * Deletes a channel if it has the version that its server read. Its row stays for a day, because a deposit may still come. With a deposit it
 * stays for good, and we claim what is unclaimed. A charge that no deposit covers goes at once.
 */
export async function deleteStored(
  db: Db,
  asked: { network: EvmNetworkId; id: string; tenantId: string; expected: bigint; mutation: string },
): Promise<Deleted> {
  const { network, id, tenantId, expected, mutation } = asked
  const [row] = await db.query<StoredChannel & { end: 'repeated' | 'deleted' | 'moved'; unclaimed: string }>`
    WITH known AS MATERIALIZED (
      SELECT c.*, CASE
        WHEN ${mutation} = ANY (c."mutations") THEN 'repeated'
        WHEN c."version" = ${expected} THEN 'deleted'
        ELSE 'moved' END AS "end"
      FROM "Channel" c
      WHERE c."network" = ${network} AND c."id" = ${id} AND c."tenantId" = ${tenantId}::uuid AND c."stored"
        AND (c."deletedAt" IS NULL OR ${mutation} = ANY (c."mutations")) FOR UPDATE
    ), gone AS (
      DELETE FROM "Channel" c USING known k
      WHERE k."end" = 'deleted' AND ${UNCOVERED}
        AND c."network" = k."network" AND c."id" = k."id"
    ), kept AS (
      UPDATE "Channel" c SET "deletedAt" = CURRENT_TIMESTAMP, "pending" = NULL, "version" = c."version" + 1,
        "mutations" = ${knownAfter(sql`${mutation}::text`, sql`c."mutations"`)}
      FROM known k
      WHERE k."end" = 'deleted' AND NOT ${UNCOVERED}
        AND c."network" = k."network" AND c."id" = k."id"
    )
    SELECT c."end", GREATEST(c."charged" - c."claimed", 0)::text AS "unclaimed", ${OF_CHANNEL} FROM known c`
  if (!row) return { end: 'absent' }
  const { end, unclaimed, ...channel } = row
  if (end === 'moved') return { end, row: channel }
  return { end: 'deleted', kept: unclaimed === '0' ? null : unclaimed }
}

// A server may store a charge before the deposit. Without a deposit it is not owed.
const UNDEPOSITED = sql`c."stored" AND c."heldAt" IS NULL AND c."presented" = 0`

/** Deletes channels that got no deposit within a day. */
export function pruneUndeposited(db: Db, limit: number): Promise<number> {
  return db.execute`
    DELETE FROM "Channel" WHERE ("network", "id") IN (
      SELECT c."network", c."id" FROM "Channel" c
      WHERE ${UNDEPOSITED} AND c."updatedAt" < CURRENT_TIMESTAMP - interval '1 day'
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
}

/** Makes room for new channels of a tenant: some that still wait for a deposit go, first those that its server deleted. Returns how many. */
export function makeRoom(db: Db, tenantId: string): Promise<number> {
  return db.execute`
    DELETE FROM "Channel" WHERE ("network", "id") IN (
      SELECT c."network", c."id" FROM "Channel" c
      WHERE c."tenantId" = ${tenantId}::uuid AND ${UNDEPOSITED}
        AND (c."deletedAt" IS NOT NULL OR c."createdAt" < CURRENT_TIMESTAMP - ${DEPOSIT_WAIT_S}::int * interval '1 second')
        AND NOT ${isDepositing(sql`c`)}
      ORDER BY c."deletedAt" IS NULL, c."createdAt" LIMIT ${UNDEPOSITED_MAX / 10} FOR UPDATE SKIP LOCKED)`
}
