import type { Hex } from 'viem'
import type { Db } from '../../db/database'
import { sql } from '../../db/sql'
import type { EvmNetworkId } from '../../x402/networks/networks'
import type { ChannelConfig, ChannelState, Voucher } from '../../x402/schemes/batch-settlement/channel'
import { hex } from '../../x402/schemes/hex'
import { isRefunding, KEPT, type PendingRequest } from './stored-queries'

const LANDED = sql`s."state" IN ('PRECONFIRMED', 'INCLUDED', 'FINAL')`

/** The newest transaction of ours that claimed one of these rows; null if none did. */
export async function findClaimed(
  db: Db,
  network: EvmNetworkId,
  rows: readonly { id: Hex; totalClaimed: bigint }[],
): Promise<string | null> {
  const asked = rows.map(({ id, totalClaimed }) => ({ id, total: String(totalClaimed) }))
  const found = await db.query<{ txHash: string }>`
    SELECT s."txHash" FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) AS a("id" text, "total" numeric)
    JOIN "ChannelClaim" c ON c."network" = ${network} AND c."channelId" = a."id" AND c."total" >= a."total"
    JOIN "Settlement" s ON s."id" = c."settlementId" AND ${LANDED} AND s."txHash" IS NOT NULL
    ORDER BY s."createdAt" DESC LIMIT 1`
  return found[0]?.txHash ?? null
}

/** What is known of a channel whose claims are signed here. Atomic units. */
export type KnownChannel = {
  signed: bigint
  signature: Hex | null
  charged: bigint
  presented: bigint
  /** Whether its merchant's server keeps it here: then `charged` is exact, and `signed` covers it. */
  kept: boolean
  /** Until when a request is being served whose charge is not known yet, Unix milliseconds; 0 without one. */
  servingUntil: number
}

type KnownRow = Record<'id' | 'signed' | 'charged' | 'presented', string> & {
  signature: string | null
  kept: boolean
  pending: PendingRequest | null
}

/** Channels by their ids. */
export async function findChannels(db: Db, network: EvmNetworkId, ids: readonly Hex[]): Promise<ReadonlyMap<Hex, KnownChannel>> {
  const rows = await db.query<KnownRow>`
    SELECT c."id", c."signed"::text, c."signature", c."charged"::text, c."presented"::text, c."pending", ${KEPT} AS "kept"
    FROM "Channel" c WHERE c."network" = ${network} AND c."id" = ANY (${ids})`
  return new Map(rows.map((row) => [hex(row.id), knownOf(row)]))
}

function knownOf({ signed, signature, charged, presented, kept, pending }: KnownRow): KnownChannel {
  const serves = pending !== null && BigInt(pending.signedMaxClaimable) > BigInt(charged)
  return {
    signed: BigInt(signed),
    signature: signature === null ? null : hex(signature),
    charged: BigInt(charged),
    presented: BigInt(presented),
    kept,
    servingUntil: serves ? pending.expiresAt : 0,
  }
}

/**
 * A channel and what was seen of it now. `voucher`: the newest one; `charged`, `presented`: at least so much; `state`: what the chain said of
 * it, asked at `askedAt`.
 */
type SeenOfChannel = {
  id: Hex
  tenantId: string
  channel: ChannelConfig
  voucher?: Voucher
  charged?: bigint
  presented?: bigint
  state?: ChannelState & { askedAt: Date }
}

/**
 * Keeps what was seen of channels. What is charged and presented never falls. Of a channel that its merchant's server keeps here, only that
 * server changes voucher and charge. Resolves with what is kept of each.
 */
export async function keepChannels(db: Db, network: EvmNetworkId, seen: readonly SeenOfChannel[]): Promise<KeptChannel[]> {
  if (seen.length === 0) return []
  const rows = seen.map(({ id, tenantId, channel, voucher, charged, presented, state }) => ({
    id,
    tenantId,
    config: channel,
    signed: voucher ? String(voucher.maxClaimable) : null,
    signature: voucher?.signature ?? null,
    charged: String(charged ?? 0n),
    presented: String(presented ?? 0n),
    balance: String(state?.balance ?? 0n),
    claimed: String(state?.totalClaimed ?? 0n),
    refundNonce: String(state?.refundNonce ?? 0n),
    withdrawing: String(state?.withdrawAmount ?? 0n),
    withdrawAt: state && state.withdrawRequestedAt > 0n ? new Date(1_000 * Number(state.withdrawRequestedAt)) : null,
    syncedAt: state?.askedAt ?? null,
  }))
  return db.query<KeptChannel>`
    INSERT INTO "Channel" AS c
      ("network", "id", "tenantId", "config", "payer", "receiver", "token", "signed", "signature", "charged", "presented",
        "balance", "claimed", "refundNonce", "withdrawing", "withdrawAt", "syncedAt")
    SELECT ${network}, r."id", r."tenantId", r."config", r."config"->>'payer', r."config"->>'receiver', r."config"->>'token',
      COALESCE(r."signed", 0), r."signature", r."charged", r."presented",
      r."balance", r."claimed", r."refundNonce", r."withdrawing", r."withdrawAt", r."syncedAt"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS r("id" text, "tenantId" uuid, "config" jsonb, "signed" numeric, "signature" text, "charged" numeric, "presented" numeric,
        "balance" numeric, "claimed" numeric, "refundNonce" numeric, "withdrawing" numeric, "withdrawAt" timestamptz,
        "syncedAt" timestamptz)
    ORDER BY r."id"
    ON CONFLICT ("network", "id") DO UPDATE SET
      "signed" = CASE WHEN ${KEPT} OR EXCLUDED."signature" IS NULL THEN c."signed" ELSE EXCLUDED."signed" END,
      "signature" = CASE WHEN ${KEPT} THEN c."signature" ELSE COALESCE(EXCLUDED."signature", c."signature") END,
      "charged" = CASE WHEN ${KEPT} THEN c."charged" ELSE GREATEST(c."charged", EXCLUDED."charged") END,
      "presented" = GREATEST(c."presented", EXCLUDED."presented"),
      "balance" = CASE WHEN ${FIRST} THEN EXCLUDED."balance" ELSE c."balance" END,
      "claimed" = CASE WHEN ${FIRST} THEN EXCLUDED."claimed" ELSE c."claimed" END,
      "refundNonce" = CASE WHEN ${FIRST} THEN EXCLUDED."refundNonce" ELSE c."refundNonce" END,
      "withdrawing" = CASE WHEN ${FIRST} THEN EXCLUDED."withdrawing" ELSE c."withdrawing" END,
      "withdrawAt" = CASE WHEN ${FIRST} THEN EXCLUDED."withdrawAt" ELSE c."withdrawAt" END,
      "heldAt" = COALESCE(c."heldAt", CASE WHEN EXCLUDED."balance" > 0 OR EXCLUDED."claimed" > 0 THEN CURRENT_TIMESTAMP END),
      "syncedAt" = ${SYNCED_AT}
    RETURNING c."id", ${isRefunding(sql`c`)} AS "refunding"`
}

type KeptChannel = { id: string; refunding: boolean }

/** A refund that is asked for: until when it closes its channel, and what was charged of the channel then. */
type RefundMark = { until: Date; charged: string }

/**
 * Takes no higher voucher of a channel until its refund landed or ended; after a crash, which says neither, for so long. Null for a channel that
 * is not known here.
 */
export async function beginRefund(db: Db, network: EvmNetworkId, id: Hex, forMs: number): Promise<RefundMark | null> {
  const [mark] = await db.query<RefundMark>`
    UPDATE "Channel" SET "refundingUntil" = GREATEST(now() + ${forMs}::bigint * interval '1 ms', "refundingUntil" + interval '1 ms')
    WHERE "network" = ${network} AND "id" = ${id} RETURNING "refundingUntil" AS "until", "charged"::text`
  return mark ?? null
}

/** Takes vouchers again after a refund that will not land, unless another one of the channel began since or may land. */
export async function endRefund(db: Db, network: EvmNetworkId, id: Hex, { until }: RefundMark): Promise<void> {
  await db.execute`
    UPDATE "Channel" SET "refundingUntil" = NULL
    WHERE "network" = ${network} AND "id" = ${id} AND "refundingUntil" = ${until}::timestamptz AND NOT EXISTS (
      SELECT 1 FROM "Settlement" s WHERE s."network" = ${network} AND s."kind" = 'refund' AND s."transfer"->>'channelId' = ${id}
        AND s."state" IN ('CLAIMED', 'PREPARED', 'BROADCAST'))`
}

/**
 * Whether a state that a request saw is written: only until the watcher of the chain has read the channel, which then alone knows what changed.
 * A node that lags must not take back a withdrawal.
 */
const FIRST = sql`(c."syncedBlock" IS NULL AND EXCLUDED."syncedAt" IS NOT NULL
  AND (c."syncedAt" IS NULL OR (EXCLUDED."syncedAt" > c."syncedAt" AND c."withdrawAt" IS NULL)))`

const SAME = sql`(EXCLUDED."balance" = c."balance" AND EXCLUDED."claimed" = c."claimed" AND EXCLUDED."refundNonce" = c."refundNonce"
  AND EXCLUDED."withdrawing" = c."withdrawing")`

/** A state that the watcher has still to write makes the merchant's server ask for each voucher until then. */
const SYNCED_AT = sql`CASE
  WHEN EXCLUDED."syncedAt" IS NULL THEN c."syncedAt"
  WHEN ${FIRST} THEN EXCLUDED."syncedAt"
  WHEN c."syncedBlock" IS NULL THEN c."syncedAt"
  WHEN ${SAME} THEN GREATEST(c."syncedAt", EXCLUDED."syncedAt") END`

/** The ended tenants of the owner of a tenant, the newest first. */
export async function findEnded(db: Db, tenantId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>`
    SELECT o."id" FROM "Tenant" t JOIN "Tenant" o ON o."ownerKind" = t."ownerKind" AND o."ownerId" = t."ownerId"
    WHERE t."id" = ${tenantId}::uuid AND t."ownerKind" <> 'system' AND o."revokedAt" IS NOT NULL
    ORDER BY o."revokedAt" DESC LIMIT ${ENDED_MAX}`
  return rows.map(({ id }) => id)
}

/** More are not looked through: each costs the derivation of a key. */
const ENDED_MAX = 100
