-- AlterTable
ALTER TABLE "History" ADD COLUMN     "caller" TEXT;

-- AlterTable
ALTER TABLE "Settlement" ADD COLUMN     "deliveredTo" TEXT;
