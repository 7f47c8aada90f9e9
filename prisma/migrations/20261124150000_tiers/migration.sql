-- AlterTable
ALTER TABLE "History" ADD COLUMN "tier" TEXT;

-- AlterTable
ALTER TABLE "RollupTime" ADD COLUMN "tier" TEXT NOT NULL DEFAULT '',
ADD COLUMN "accepted" BOOLEAN NOT NULL DEFAULT false;

-- The status page shows 30 days by tier: the worker sums them once more from the rows, newest days first.
UPDATE "RollupDay" SET "state" = 'untimed'
WHERE "state" = 'rolled' AND NOT "pruned" AND "day" >= (now() AT TIME ZONE 'UTC')::date - 30;

-- Claims that were given up before anything was signed, for a reason that is ours.
CREATE INDEX "Settlement_not_sent_idx" ON "Settlement"("createdAt") INCLUDE ("network", "tier")
WHERE "state" = 'REJECTED' AND "logged" AND "reason" IS NULL;
