-- AlterTable
ALTER TABLE "Outbox" ADD COLUMN "network" TEXT;

-- AlterTable
ALTER TABLE "WatchCursor" ADD COLUMN "finalizedAskedAt" TIMESTAMPTZ(3);

UPDATE "Outbox" o SET "network" = s."network" FROM "Settlement" s
WHERE o."kind" = 'finality' AND o."doneAt" IS NULL AND s."id" = o."key"::uuid;

-- The settlements of a network whose finality is awaited, oldest first.
CREATE INDEX "Outbox_finality_idx" ON "Outbox"("network", "nextAt", "id") WHERE "kind" = 'finality' AND "doneAt" IS NULL;

-- Settlements that left their intent free are found by it too: a caller asks what became of its payment.
CREATE INDEX "Settlement_unpaid_idx" ON "Settlement"("intentKey") WHERE "state" = 'UNPAID';
