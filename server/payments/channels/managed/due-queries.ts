import type { Hex } from 'viem'
import { z } from 'zod'
import type { Db } from '../../../db/database'
import { type Sql, sql } from '../../../db/sql'
import { isLive } from '../../../ledger/statements/claim-statement'
import { failedStates } from '../../../ledger/states'
import type { EvmNetworkId } from '../../../x402/networks/networks'
import type { ClaimRow } from '../../../x402/schemes/batch-settlement/channel'
import { storedChannel } from '../../../x402/schemes/batch-settlement/stored'
import { CLAIMED_HERE } from '../stored-queries'
import { CLAIM_AFTER_S, DELAY_SHARE, DUST_AFTER_S, PAYOUT_AFTER_S, RACE_AGAIN_S, type TokenBounds } from './policy'

/** Why a channel is claimed now: its payer withdraws, its key ended, or what is charged is old, or much; `along`: beside such a one. */
type Why = 'withdrawal' | 'closing' | 'age' | 'value' | 'along'

/** A channel to claim: its newest voucher and what is charged of it, both of one version of its row. */
export type DueChannel = { id: Hex; tenantId: string; why: Why; row: ClaimRow }

const dueRow = z.object({
  id: z.string().transform((id): Hex => `0x${id.slice(2)}`),
  tenantId: z.string(),
  why: z.enum(['withdrawal', 'closing', 'age', 'value', 'along']),
  config: storedChannel,
  signed: z.string().transform(BigInt),
  signature: z.string().transform((text): Hex => `0x${text.slice(2)}`),
  total: z.string().transform(BigInt),
})

const UNDER_WAY = sql`s."state" IN ('CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED')`

/** The states of a claim that brought nothing. */
const NOT_LANDED: string[] = ['REJECTED', ...failedStates]

/** Whether no claim of a channel was made since then, not counting those that failed. */
const noClaimSince = (since: Sql) => sql`NOT EXISTS (
  SELECT 1 FROM "ChannelClaim" l JOIN "Settlement" s ON s."id" = l."settlementId"
  WHERE l."network" = c."network" AND l."channelId" = c."id" AND NOT s."state" = ANY(${NOT_LANDED}::text[]) AND s."createdAt" >= ${since})`

const boundsIn = (bounds: readonly TokenBounds[]) =>
  sql`jsonb_to_recordset(${JSON.stringify(bounds.map(({ token, above, dust }) => ({ token, above: String(above), dust: String(dust) })))}::jsonb)
    AS b("token" text, "above" numeric, "dust" numeric)`

/** Which rows a query finds: none that is in the list, at most so many in all, and so many of each tenant. */
type Bounds = { bounds: readonly TokenBounds[]; except: readonly string[]; limit: number; eachMax: number }

/**
 * The channels of a network to claim now, those whose payer withdraws first. `closing`: all that is worth its gas. `except`: their ids; `spent`:
 * tenants for which a withdrawal makes nothing urgent. What a
 * claim under way covers is left out. A withdrawal makes one claim urgent. Later ones are while it would take what is charged: one a minute, and
 * others in the last third of its delay. What could not be claimed is tried again after an hour.
 */
export async function findDue(
  db: Db,
  network: EvmNetworkId,
  {
    bounds,
    except,
    spent,
    gasPrice,
    closing,
    limit,
    eachMax,
  }: Bounds & { spent: readonly string[]; gasPrice: bigint; closing: boolean },
): Promise<DueChannel[]> {
  const races = sql`c."withdrawAt" IS NOT NULL AND NOT c."tenantId" = ANY(${[...spent]}::uuid[])`
  const rows = await db.query<unknown>`
    WITH owed AS (
      SELECT c."id", c."tenantId", c."config", c."signed", c."signature", c."owedSince", LEAST(c."charged", c."signed") AS "total",
        CASE
          WHEN ${races} AND ${noClaimSince(sql`c."withdrawAt"`)} THEN 'withdrawal'
          WHEN ${races} AND LEAST(c."charged", c."signed") > c."balance" - c."withdrawing" AND c."charged" - c."claimed" >= b."dust" AND (
            c."charged" - c."claimed" >= COALESCE(t."claimAbove", b."above")
            OR (now() >= c."withdrawAt" + d."delay" * 2 / 3 * interval '1 second' AND now() < c."withdrawAt" + d."delay" * interval '1 second')
            OR ${noClaimSince(sql`GREATEST(c."withdrawAt", now() - ${RACE_AGAIN_S}::int * interval '1 second')`)}) THEN 'withdrawal'
          WHEN c."charged" - c."claimed" < b."dust" AND c."owedSince" > now() - ${DUST_AFTER_S}::int * interval '1 second' THEN 'dust'
          WHEN ${closing}::boolean OR t."revokedAt" IS NOT NULL OR NOT EXISTS (SELECT 1 FROM "ApiKey" k WHERE k."tenantId" = t."id" AND ${isLive})
            THEN 'closing'
          WHEN c."owedSince" <= now() - LEAST(COALESCE(t."claimAfterSeconds", ${CLAIM_AFTER_S}::int),
            d."delay" / ${DELAY_SHARE}::int) * interval '1 second' THEN 'age'
          WHEN c."charged" - c."claimed" >= COALESCE(t."claimAbove", b."above")
            AND (t."claimMaxGasPrice" IS NULL OR t."claimMaxGasPrice" >= ${String(gasPrice)}::numeric) THEN 'value'
          ELSE 'along' END AS "why"
      FROM "Channel" c JOIN "Tenant" t ON t."id" = c."tenantId" JOIN ${boundsIn(bounds)} ON b."token" = c."token"
      CROSS JOIN LATERAL (SELECT (c."config"->>'withdrawDelay')::bigint AS "delay") d
      WHERE c."network" = ${network} AND c."charged" > c."claimed" AND LEAST(c."charged", c."signed") > c."claimed"
        AND (c."unclaimable" IS NULL OR c."updatedAt" < now() - interval '1 hour') AND c."signature" IS NOT NULL
        AND ${CLAIMED_HERE} AND c."heldAt" IS NOT NULL AND NOT c."id" = ANY(${[...except]}::text[])
        AND NOT EXISTS (
          SELECT 1 FROM "ChannelClaim" l JOIN "Settlement" s ON s."id" = l."settlementId" AND ${UNDER_WAY}
          WHERE l."network" = c."network" AND l."channelId" = c."id" AND l."total" > c."claimed"
            AND (c."withdrawAt" IS NULL OR l."total" >= LEAST(c."charged", c."signed")))
    ), wanted AS (
      SELECT o.*, row_number() OVER (PARTITION BY "tenantId" ORDER BY "why" <> 'withdrawal', "why" = 'along', "owedSince", "id") AS "place" FROM owed o
      WHERE "why" IN ('withdrawal', 'closing', 'age', 'value') OR ("why" = 'along' AND EXISTS (
        SELECT 1 FROM owed d WHERE d."tenantId" = o."tenantId" AND d."why" IN ('closing', 'age', 'value')))
    )
    SELECT "id", "tenantId", "why", "config", "signed"::text, "signature", "total"::text FROM wanted WHERE "place" <= ${eachMax}::int
    ORDER BY "why" <> 'withdrawal', "why" = 'along', "owedSince", "id" LIMIT ${limit}::int`
  return rows.map((read) => {
    const { id, tenantId, why, config, signed, signature, total } = dueRow.parse(read)
    return { id, tenantId, why, row: { channel: config, voucher: { maxClaimable: signed, signature }, totalClaimed: total } }
  })
}

/**
 * Notes why no claim of these vouchers can land, and returns the ids that are noted: not of a channel that has a balance to claim as far as its
 * row says. `isNew`: it was not noted before. A newer voucher, or another state of the channel, clears it.
 */
export async function markUnclaimable(
  db: Db,
  network: EvmNetworkId,
  rows: readonly { id: Hex; signature: Hex; why: string }[],
): Promise<{ id: string; isNew: boolean }[]> {
  if (rows.length === 0) return []
  return db.query<{ id: string; isNew: boolean }>`
    WITH before AS (
      SELECT c."id", c."unclaimable", r."why" FROM "Channel" c
      JOIN jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r("id" text, "signature" text, "why" text) USING ("id", "signature")
      WHERE c."network" = ${network} AND (r."why" <> 'ClaimExceedsBalance' OR c."balance" <= c."claimed")
      ORDER BY c."id" FOR UPDATE OF c
    )
    UPDATE "Channel" c SET "unclaimable" = COALESCE(b."unclaimable", b."why") FROM before b WHERE c."network" = ${network} AND c."id" = b."id"
    RETURNING c."id", b."unclaimable" IS NULL AS "isNew"`
}

/** What is due to a receiver in a token, and the key whose channels it is from. */
export type Due = { tenantId: string; receiver: Hex; token: Hex; amount: string }

/** The name of what is due, by which it is left out. */
export const nameOfDue = ({ tenantId, receiver, token }: Due): string => `${tenantId} ${receiver} ${token}`

/**
 * What is paid out now: what reaches its key's amount, is old, or belongs to a key that ended. Less than its gas waits for a day. `except`: names
 * of what is due.
 */
export async function findPayouts(db: Db, network: EvmNetworkId, { bounds, except, limit, eachMax }: Bounds): Promise<Due[]> {
  const rows = await db.query<{ tenantId: string; receiver: string; token: string; amount: string }>`
    SELECT "tenantId", "receiver", "token", "amount"::text FROM (
    SELECT d.*, row_number() OVER (PARTITION BY d."tenantId" ORDER BY d."since", d."receiver", d."token") AS "place"
    FROM "ChannelDue" d JOIN "Tenant" t ON t."id" = d."tenantId" JOIN ${boundsIn(bounds)} ON b."token" = d."token"
    WHERE d."network" = ${network} AND NOT d."tenantId" || ' ' || d."receiver" || ' ' || d."token" = ANY(${[...except]}::text[]) AND (d."since" <= now() - ${DUST_AFTER_S}::int * interval '1 second' OR (
      d."amount" >= b."dust" AND (t."revokedAt" IS NOT NULL OR d."amount" >= COALESCE(t."claimAbove", b."above")
        OR d."since" <= now() - ${PAYOUT_AFTER_S}::int * interval '1 second')))
    ) due WHERE "place" <= ${eachMax}::int ORDER BY "since" LIMIT ${limit}::int`
  return rows.map(({ receiver, token, ...row }) => ({ ...row, receiver: `0x${receiver.slice(2)}`, token: `0x${token.slice(2)}` }))
}

/** Ends what was due, unless more became due meanwhile. */
export async function endDue(db: Db, network: EvmNetworkId, { tenantId, receiver, token, amount }: Due): Promise<void> {
  await db.execute`
    DELETE FROM "ChannelDue" WHERE "network" = ${network} AND "tenantId" = ${tenantId}::uuid AND "receiver" = ${receiver} AND "token" = ${token}
      AND "amount" = ${amount}::numeric`
}

/** Puts off a payment that cannot be made now. */
export async function putOffDue(db: Db, network: EvmNetworkId, { tenantId, receiver, token }: Due): Promise<void> {
  await db.execute`
    UPDATE "ChannelDue" SET "since" = now(), "amount" = 0
    WHERE "network" = ${network} AND "tenantId" = ${tenantId}::uuid AND "receiver" = ${receiver} AND "token" = ${token}`
}
