-- CreateTable
CREATE TABLE "FinalityCheck" (
    "settlementId" UUID NOT NULL,
    "network" TEXT NOT NULL,
    "block" BIGINT NOT NULL,
    "checkedAt" TIMESTAMPTZ(3),

    CONSTRAINT "FinalityCheck_pkey" PRIMARY KEY ("settlementId")
);

-- The final settlements whose block was not compared with the finalized chain yet, lowest block first.
CREATE INDEX "FinalityCheck_open_idx" ON "FinalityCheck"("network", "block") WHERE "checkedAt" IS NULL;

-- The compared ones, which housekeeping deletes.
CREATE INDEX "FinalityCheck_checked_idx" ON "FinalityCheck"("checkedAt") WHERE "checkedAt" IS NOT NULL;

-- A deep reorganisation removed the block of a final settlement: it is watched again.
INSERT INTO "Move" ("from", "to") VALUES ('FINAL', 'INCLUDED');

-- Settlements of the last day whose network had not finalized their block. Ids begin with their time, so the primary key finds them.
INSERT INTO "FinalityCheck" ("settlementId", "network", "block")
SELECT s."id", s."network", s."block" FROM "Settlement" s LEFT JOIN "WatchCursor" w ON w."network" = s."network"
WHERE s."id" >= (lpad(to_hex((extract(epoch FROM now() - interval '1 day') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
  AND s."state" = 'FINAL' AND s."network" NOT LIKE 'solana:%' AND s."block" > COALESCE(w."finalized", -1);
