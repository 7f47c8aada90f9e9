import type { Hex } from 'viem'
import type { Db } from '../../db/database'
import type { EvmNetworkId } from '../../x402/networks/networks'

/** Claims of a channel that reverted on chain lately: the rows of the smallest of them, and how many had no other row. */
export type RevertedClaims = { fewest: number; alone: number }

/** Claims of one channel alone that revert within an hour, before it is left out: each cost gas. */
export const REVERTS_MAX = 3

/** The claims of these channels that a tenant had reverted on chain within the hour, by channel; not those that a later claim overtook. */
export async function findReverted(
  db: Db,
  network: EvmNetworkId,
  tenantId: string,
  ids: readonly Hex[],
): Promise<ReadonlyMap<string, RevertedClaims>> {
  const found = await db.query<RevertedClaims & { id: string }>`
    SELECT c."channelId" AS "id", min(o."rows")::int AS "fewest", (count(*) FILTER (WHERE o."rows" = 1))::int AS "alone"
    FROM unnest(${[...ids]}::text[]) AS i("id") LEFT JOIN "Channel" h ON h."network" = ${network} AND h."id" = i."id"
    JOIN "ChannelClaim" c ON c."network" = ${network} AND c."channelId" = i."id" AND c."total" > COALESCE(h."claimed", 0)
    JOIN "Settlement" s ON s."id" = c."settlementId" AND s."tenantId" = ${tenantId}::uuid AND s."kind" = 'claim'
      AND s."state" = 'UNPAID' AND s."createdAt" > now() - interval '1 hour'
    CROSS JOIN LATERAL (SELECT count(*) AS "rows" FROM "ChannelClaim" o WHERE o."settlementId" = c."settlementId") o
    GROUP BY c."channelId"`
  return new Map(found.map(({ id, ...claims }) => [id, claims]))
}
