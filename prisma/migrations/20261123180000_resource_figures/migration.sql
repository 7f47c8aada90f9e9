-- The figures of a listed resource, over the last 30 completed days.
ALTER TABLE "Resource"
    ADD COLUMN "tries" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "calls" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "callers" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "volume" DECIMAL(98,0) NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "ResourceDay" (
    "resourceId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "part" INTEGER NOT NULL,
    "tenantId" UUID NOT NULL,
    "tries" INTEGER NOT NULL,
    "calls" INTEGER NOT NULL,
    "volume" DECIMAL(98,0) NOT NULL,
    "callers" INTEGER[],

    CONSTRAINT "ResourceDay_pkey" PRIMARY KEY ("resourceId","day","part")
);

-- CreateIndex
CREATE INDEX "ResourceDay_tenantId_day_idx" ON "ResourceDay"("tenantId", "day");

-- CreateIndex
CREATE INDEX "ResourceDay_day_idx" ON "ResourceDay"("day");

-- CreateIndex
CREATE INDEX "Resource_environment_volume_id_idx" ON "Resource"("environment", "volume" DESC, "id");

-- CreateIndex
CREATE INDEX "Resource_environment_firstSeen_id_idx" ON "Resource"("environment", "firstSeen" DESC, "id");

-- AddForeignKey
ALTER TABLE "ResourceDay" ADD CONSTRAINT "ResourceDay_resourceId_fkey" FOREIGN KEY ("resourceId") REFERENCES "Resource"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The last month is summed again, so that resources have figures from the start.
UPDATE "RollupDay" SET "state" = 'dirty' WHERE "day" >= (now() AT TIME ZONE 'UTC')::date - 30 AND NOT "pruned";
