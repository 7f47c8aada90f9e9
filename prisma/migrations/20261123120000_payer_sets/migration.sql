-- CreateTable
CREATE TABLE "PayerNumber" (
    "no" SERIAL NOT NULL,
    "payer" TEXT NOT NULL,

    CONSTRAINT "PayerNumber_pkey" PRIMARY KEY ("no")
);

-- CreateTable
CREATE TABLE "RollupPayerBits" (
    "tenantId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "part" INTEGER NOT NULL,
    "network" TEXT NOT NULL,
    "chunk" INTEGER NOT NULL,
    "bits" BIT(8192) NOT NULL,

    CONSTRAINT "RollupPayerBits_pkey" PRIMARY KEY ("tenantId","day","network","chunk","part")
);

-- CreateTable
CREATE TABLE "RollupPayerList" (
    "tenantId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "part" INTEGER NOT NULL,
    "network" TEXT NOT NULL,
    "nos" INTEGER[],

    CONSTRAINT "RollupPayerList_pkey" PRIMARY KEY ("tenantId","day","network","part")
);

-- CreateIndex
CREATE UNIQUE INDEX "PayerNumber_payer_key" ON "PayerNumber"("payer");

-- The payers of summed days in the new form. Their rows may be gone (`pruned`), so they cannot be summed again.
INSERT INTO "PayerNumber" ("payer") SELECT DISTINCT "payer" FROM "RollupPayer" ORDER BY 1;

WITH chunk AS MATERIALIZED (
  SELECT p."tenantId", p."day", p."network", n."no" / 8192 AS "chunk", array_agg(n."no" ORDER BY n."no") AS "nos"
  FROM "RollupPayer" p JOIN "PayerNumber" n USING ("payer") GROUP BY 1, 2, 3, 4
), dense AS (
  INSERT INTO "RollupPayerBits" ("tenantId", "day", "part", "network", "chunk", "bits")
  SELECT "tenantId", "day", 0, "network", "chunk", (SELECT bit_or(set_bit(B'0'::bit(8192), "no" % 8192, 1)) FROM unnest("nos") "no")
  FROM chunk WHERE cardinality("nos") >= 32
)
INSERT INTO "RollupPayerList" ("tenantId", "day", "part", "network", "nos")
SELECT "tenantId", "day", 0, "network", array_agg("no" ORDER BY "no") FROM chunk, unnest("nos") "no"
WHERE cardinality("nos") < 32 GROUP BY 1, 2, 3, 4;

-- DropTable
DROP TABLE "RollupPayer";

-- The dirty days of a tenant, for its sums.
CREATE INDEX "RollupDay_tenant_dirty_idx" ON "RollupDay"("tenantId", "day") WHERE "state" = 'dirty';

-- Sums are read by tenant. With this index the planner read the days of all tenants, once for each tenant.
DROP INDEX "RollupFact_day_idx";
