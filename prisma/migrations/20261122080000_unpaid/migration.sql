-- A payment that was mined without its transfer and cannot be paid now fails as UNPAID. Its authorization is unused and nothing of ours can use it:
-- the intent is free, so the same signed payment may be claimed anew.
INSERT INTO "Move" ("from", "to") VALUES ('CLAIMED', 'UNPAID');

ALTER TABLE "Settlement" DROP CONSTRAINT "Settlement_signed";
ALTER TABLE "Settlement" ADD CONSTRAINT "Settlement_signed" CHECK (
  "slotId" IS NOT NULL OR "laneClass" = 'remote' OR ("network" LIKE 'solana:%' AND "txHash" IS NOT NULL AND "sinceBlock" IS NOT NULL)
  OR "state" IN ('CLAIMED', 'REJECTED', 'EXPIRED', 'USED_ELSEWHERE', 'UNPAID', 'REVERSED')
);

CREATE UNIQUE INDEX "Settlement_intent_key" ON "Settlement"("intentKey") WHERE "state" NOT IN ('REJECTED', 'UNPAID');
DROP INDEX "Settlement_intentKey_key";
ALTER INDEX "Settlement_intent_key" RENAME TO "Settlement_intentKey_key";

-- Whose queue a payment counts against, whether it travels alone, and the facts of a failure in words.
ALTER TABLE "Settlement" ADD COLUMN "party" TEXT NOT NULL DEFAULT '';
ALTER TABLE "Settlement" ADD COLUMN "alone" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Settlement" ADD COLUMN "newcomer" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Settlement" ADD COLUMN "detail" TEXT;
UPDATE "Settlement" SET "party" = "caller" WHERE "state" IN ('CLAIMED', 'PREPARED', 'BROADCAST');
CREATE INDEX "Settlement_party_idx" ON "Settlement"("party", "network", "createdAt") WHERE "state" IN ('CLAIMED', 'PREPARED', 'BROADCAST');
DROP INDEX "Settlement_caller_idx";
DROP INDEX "Settlement_in_vain_idx";

-- Payments that failed on the chain at our cost. Rows older than a day are deleted.
CREATE TABLE "PayerFailure" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "network" TEXT NOT NULL,
    "payer" TEXT NOT NULL,
    "tenantId" UUID NOT NULL,
    "party" TEXT NOT NULL,
    "settlementId" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PayerFailure_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "PayerFailure_kind" CHECK ("kind" IN ('burned', 'unpaid', 'reverted', 'used_elsewhere', 'expired', 'reversed'))
);
CREATE UNIQUE INDEX "PayerFailure_settlementId_key" ON "PayerFailure"("settlementId");
CREATE INDEX "PayerFailure_network_payer_at_idx" ON "PayerFailure"("network", "payer", "at");
CREATE INDEX "PayerFailure_network_party_at_idx" ON "PayerFailure"("network", "party", "at");
CREATE INDEX "PayerFailure_at_idx" ON "PayerFailure"("at");

-- Before a batch is signed: whether a payer's code burnt gas within the hour. At a claim and there: whether a payer has paid before.
-- A settlement enters the second one once, when it is final.
CREATE INDEX "PayerFailure_burned_idx" ON "PayerFailure"("network", "at") WHERE "kind" = 'burned';
CREATE INDEX "Settlement_paid_idx" ON "Settlement"("payer", "caller") WHERE "state" = 'FINAL';
