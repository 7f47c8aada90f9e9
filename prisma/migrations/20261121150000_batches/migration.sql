-- AlterTable
ALTER TABLE "Attempt" ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'pay';

-- AlterTable
ALTER TABLE "Settlement" ADD COLUMN     "laneClass" TEXT NOT NULL DEFAULT 'sandbox',
ADD COLUMN     "queuedBy" TEXT,
ADD COLUMN     "returns" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "Settlement" ALTER COLUMN "laneClass" DROP DEFAULT;

-- Claims that wait for any instance with a lane.
CREATE INDEX "Settlement_unqueued_idx" ON "Settlement"("network", "laneClass", "id") WHERE "state" = 'CLAIMED' AND "queuedBy" IS NULL;
