-- CreateTable
CREATE TABLE "SvmAttempt" (
    "signature" TEXT NOT NULL,
    "settlementId" UUID NOT NULL,
    "raw" TEXT NOT NULL,
    "fee" BIGINT NOT NULL,
    "sentAt" TIMESTAMPTZ(3),
    "slot" BIGINT,
    "succeeded" BOOLEAN,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SvmAttempt_pkey" PRIMARY KEY ("signature")
);

-- CreateIndex
CREATE UNIQUE INDEX "SvmAttempt_settlementId_key" ON "SvmAttempt"("settlementId");

-- AddForeignKey
ALTER TABLE "SvmAttempt" ADD CONSTRAINT "SvmAttempt_settlementId_fkey" FOREIGN KEY ("settlementId") REFERENCES "Settlement"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A settlement on Solana has no slot of a lane: nothing has a nonce there. It has the one signature under which it can land.
ALTER TABLE "Settlement" DROP CONSTRAINT "Settlement_signed";
ALTER TABLE "Settlement" ADD CONSTRAINT "Settlement_signed" CHECK (
  "slotId" IS NOT NULL OR "laneClass" = 'remote' OR ("network" LIKE 'solana:%' AND "txHash" IS NOT NULL AND "sinceBlock" IS NOT NULL)
  OR "state" IN ('CLAIMED', 'REJECTED', 'EXPIRED', 'USED_ELSEWHERE')
);
