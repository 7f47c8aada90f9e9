import type { Hex } from 'viem'
import type { Db } from '../../db/database'
import { sql } from '../../db/sql'
import type { EvmNetworkId } from '../../x402/networks/networks'
import type { ChannelConfig, Voucher } from '../../x402/schemes/batch-settlement/channel'

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
type KnownChannel = { signed: bigint; charged: bigint; presented: bigint }

/** A channel of a tenant by its id. Null if none was seen. */
export async function findChannel(db: Db, network: EvmNetworkId, id: Hex): Promise<KnownChannel | null> {
  const rows = await db.query<{ signed: string; charged: string; presented: string }>`
    SELECT "signed"::text, "charged"::text, "presented"::text FROM "Channel" WHERE "network" = ${network} AND "id" = ${id}`
  const [row] = rows
  return row ? { signed: BigInt(row.signed), charged: BigInt(row.charged), presented: BigInt(row.presented) } : null
}

/** A channel and what was seen of it now. `voucher`: the newest one; `charged`, `presented`: at least so much. */
type SeenOfChannel = {
  id: Hex
  tenantId: string
  channel: ChannelConfig
  voucher?: Voucher
  charged?: bigint
  presented?: bigint
}

/** Keeps what was seen of channels. What is charged and presented never falls. */
export async function keepChannels(db: Db, network: EvmNetworkId, seen: readonly SeenOfChannel[]): Promise<void> {
  if (seen.length === 0) return
  const rows = seen.map(({ id, tenantId, channel, voucher, charged, presented }) => ({
    id,
    tenantId,
    config: channel,
    signed: voucher ? String(voucher.maxClaimable) : null,
    signature: voucher?.signature ?? null,
    charged: String(charged ?? 0n),
    presented: String(presented ?? 0n),
  }))
  await db.execute`
    INSERT INTO "Channel" AS c
      ("network", "id", "tenantId", "config", "payer", "receiver", "token", "signed", "signature", "charged", "presented")
    SELECT ${network}, r."id", r."tenantId", r."config", r."config"->>'payer', r."config"->>'receiver', r."config"->>'token',
      COALESCE(r."signed", 0), r."signature", r."charged", r."presented"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS r("id" text, "tenantId" uuid, "config" jsonb, "signed" numeric, "signature" text, "charged" numeric, "presented" numeric)
    ORDER BY r."id"
    ON CONFLICT ("network", "id") DO UPDATE SET
      "signed" = CASE WHEN EXCLUDED."signature" IS NULL THEN c."signed" ELSE EXCLUDED."signed" END,
      "signature" = COALESCE(EXCLUDED."signature", c."signature"),
      "charged" = GREATEST(c."charged", EXCLUDED."charged"),
      "presented" = GREATEST(c."presented", EXCLUDED."presented")`
}

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
