-- AlterTable
ALTER TABLE "History" ADD COLUMN "settleMs" INTEGER;

-- CreateTable
CREATE TABLE "RollupTime" (
    "tenantId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "no" INTEGER NOT NULL,
    "network" TEXT NOT NULL,
    "errorReason" TEXT NOT NULL,
    "bin" INTEGER NOT NULL,
    "slots" SMALLINT[],
    "counts" INTEGER[],
    "volumes" DECIMAL(98,0)[],

    CONSTRAINT "RollupTime_pkey" PRIMARY KEY ("tenantId","day","no")
);

-- CreateIndex
CREATE INDEX "CreditEntry_environment_createdAt_idx" ON "CreditEntry"("environment", "createdAt");

-- Sums by time for days of earlier versions: the worker makes them from the rows, newest days first. The other sums of these days stay in use.
UPDATE "RollupDay" SET "state" = 'untimed' WHERE "state" = 'rolled' AND NOT "pruned";

-- Days whose failed rows are gone cannot be summed again. All they had counts at noon, so only zones more than 12 hours from UTC move it.
INSERT INTO "RollupTime" ("tenantId", "day", "no", "network", "errorReason", "bin", "slots", "counts", "volumes")
SELECT "tenantId", "day", row_number() OVER (PARTITION BY "tenantId", "day"), "network", "errorReason", -1,
  ARRAY[48]::smallint[], ARRAY[sum("count")]::int[], ARRAY[sum("volume")]::numeric[]
FROM "RollupFact" f JOIN "RollupDay" d USING ("tenantId", "day") WHERE d."pruned" GROUP BY "tenantId", "day", "network", "errorReason";

-- Days to sum now include those of earlier versions.
DROP INDEX "RollupDay_dirty_idx";
DROP INDEX "RollupDay_tenant_dirty_idx";
CREATE INDEX "RollupDay_due_idx" ON "RollupDay"("day", "tenantId") WHERE "state" <> 'rolled';
CREATE INDEX "RollupDay_tenant_due_idx" ON "RollupDay"("tenantId", "day") WHERE "state" <> 'rolled';
