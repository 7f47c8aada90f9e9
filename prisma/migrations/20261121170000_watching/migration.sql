-- Who watches a network, by the database's clock, and the newest block that was seen.
CREATE TABLE "WatchCursor" (
    "network" TEXT NOT NULL,
    "holder" TEXT,
    "leaseUntil" TIMESTAMPTZ(3) NOT NULL DEFAULT '-infinity'::timestamp with time zone,
    "block" BIGINT,
    "blockHash" TEXT,
    "blockTime" BIGINT,
    "baseFee" DECIMAL(78,0),

    CONSTRAINT "WatchCursor_pkey" PRIMARY KEY ("network")
);

-- What a payer's transfers cost us in vain lately is counted at every claim.
CREATE INDEX "Settlement_in_vain_idx" ON "Settlement"("payer", "createdAt")
  WHERE "state" IN ('REVERTED', 'USED_ELSEWHERE') OR "returns" > 1;

-- Claims are looked through by their signers, whether somebody has them in a queue or not.
DROP INDEX "Settlement_unqueued_idx";
CREATE INDEX "Settlement_claimed_idx" ON "Settlement"("network", "laneClass", "id") WHERE "state" = 'CLAIMED';

-- Room on the page for the updates that touch no index: who waits, who was told.
ALTER TABLE "Settlement" SET (fillfactor = 70);
