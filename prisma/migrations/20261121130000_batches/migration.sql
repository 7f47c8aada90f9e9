-- AlterTable
ALTER TABLE "Attempt" ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'pay';

-- AlterTable
ALTER TABLE "Settlement" ADD COLUMN     "returns" INTEGER NOT NULL DEFAULT 0;
