-- AlterTable
ALTER TABLE "Attempt" ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'pay';

-- AlterTable
ALTER TABLE "Lane" ADD COLUMN     "usable" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "Settlement" ADD COLUMN     "laneClass" TEXT NOT NULL DEFAULT 'sandbox',
ADD COLUMN     "queuedBy" TEXT,
ADD COLUMN     "returns" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Settlement" ALTER COLUMN "laneClass" DROP DEFAULT;

-- What a caller has been promised and no block holds yet.
CREATE INDEX "Settlement_flash_idx" ON "Settlement"("caller") INCLUDE ("amount")
  WHERE "tier" = 'flash' AND "state" IN ('CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED');

-- Claims that wait for any instance with a lane.
CREATE INDEX "Settlement_unqueued_idx" ON "Settlement"("network", "laneClass", "id") WHERE "state" = 'CLAIMED' AND "queuedBy" IS NULL;
