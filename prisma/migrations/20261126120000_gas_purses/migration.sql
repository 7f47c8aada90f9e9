-- What each budget spent on gas per UTC day: one owner's keys of a plan, all keys that cost nothing, and those of each block of addresses
CREATE TABLE "GasSpend" (
    "day" DATE NOT NULL,
    "budget" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "spent" DECIMAL(78,0) NOT NULL DEFAULT 0,

    CONSTRAINT "GasSpend_pkey" PRIMARY KEY ("day","budget","network")
);

-- The day goes on with what was spent before
INSERT INTO "GasSpend" ("day", "budget", "network", "spent")
SELECT s."day", CASE
    WHEN t."ownerKind" = 'system' THEN 'tenant:' || t."id"
    WHEN t."plan" = 'agent' THEN 'wallet:' || t."ownerId"
    WHEN t."ownQuota" THEN 'tenant:' || t."id"
    ELSE 'owner:' || t."ownerKind" || ':' || t."ownerId" || ':' || t."plan" END, s."network", sum(s."spent")
FROM "SponsorSpend" s JOIN "Tenant" t ON t."id" = s."tenantId"
WHERE s."day" >= (now() AT TIME ZONE 'UTC')::date GROUP BY 1, 2, 3;

INSERT INTO "GasSpend" ("day", "budget", "network", "spent")
SELECT "day", 'free', "network", "spent" FROM "WalletKeySpend" WHERE "day" >= (now() AT TIME ZONE 'UTC')::date;

DROP TABLE "WalletKeySpend";
DROP INDEX "Settlement_wallet_keys_idx";

-- The block of addresses that made a free key
ALTER TABLE "Tenant" ADD COLUMN "madeFrom" TEXT;
ALTER TABLE "Settlement" ADD COLUMN "freeFrom" TEXT;
