import { Prisma } from '../../generated/prisma/client'

/**
 * The common table expression that charges the cost of a transaction (smallest unit of its network) to the tenants it carries,
 * each by its share of the members. It reads from an expression named `attempted`.
 */
export function charged(cost: bigint): Prisma.Sql {
  return Prisma.sql`
    charged AS (
      INSERT INTO "SponsorSpend" ("day", "tenantId", "network", "spent")
      SELECT ${TODAY}, s."tenantId", s."network",
        ceil(${cost.toString()}::numeric * count(*) / (SELECT count(*) FROM "SlotMember" x WHERE x."slotId" = attempted."slotId"))
      FROM attempted JOIN "SlotMember" m ON m."slotId" = attempted."slotId" JOIN "Settlement" s ON s."id" = m."settlementId"
      WHERE attempted."uncharged"
      GROUP BY attempted."slotId", s."tenantId", s."network"
      ORDER BY s."tenantId", s."network"
      ON CONFLICT ("day", "tenantId", "network") DO UPDATE SET "spent" = "SponsorSpend"."spent" + EXCLUDED."spent"
    )`
}

/** The UTC day by the database's clock. */
export const TODAY = Prisma.sql`(now() AT TIME ZONE 'UTC')::date`
