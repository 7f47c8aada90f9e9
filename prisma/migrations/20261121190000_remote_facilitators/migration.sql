-- AlterTable
ALTER TABLE "Settlement" ADD COLUMN     "senders" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "sinceBlock" BIGINT;

-- A settlement in another facilitator's hands has no slot: what may be on the wire is the other's to know.
ALTER TABLE "Settlement" DROP CONSTRAINT "Settlement_signed";
ALTER TABLE "Settlement" ADD CONSTRAINT "Settlement_signed"
  CHECK ("slotId" IS NOT NULL OR "laneClass" = 'remote' OR "state" IN ('CLAIMED', 'REJECTED', 'EXPIRED', 'USED_ELSEWHERE'));
-- One that was handed over can be searched for on the chain.
ALTER TABLE "Settlement" ADD CONSTRAINT "Settlement_handed_over"
  CHECK ("laneClass" <> 'remote' OR "sinceBlock" IS NOT NULL OR "state" IN ('CLAIMED', 'REJECTED'));

-- A lane's transactions are found through its slots, another facilitator's by the hash it told.
CREATE INDEX "Settlement_remote_transaction_idx" ON "Settlement"("txHash") WHERE "laneClass" = 'remote';
