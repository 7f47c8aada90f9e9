-- What payers made us spend in vain is counted for an hour, whatever becomes of their settlements.
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
    CONSTRAINT "PayerFailure_kind_check" CHECK ("kind" IN ('burned', 'unpaid', 'reverted', 'used_elsewhere'))
);

CREATE UNIQUE INDEX "PayerFailure_settlementId_key" ON "PayerFailure"("settlementId");
CREATE INDEX "PayerFailure_network_payer_at_idx" ON "PayerFailure"("network", "payer", "at");
CREATE INDEX "PayerFailure_network_party_at_idx" ON "PayerFailure"("network", "party", "at");
CREATE INDEX "PayerFailure_at_idx" ON "PayerFailure"("at");

-- What the schema language cannot say: before a batch is signed, the burns of the last hour are looked through,
CREATE INDEX "PayerFailure_burned_idx" ON "PayerFailure"("network", "at") WHERE "kind" = 'burned';
-- and whether a payer has paid before.
CREATE INDEX "Settlement_paid_idx" ON "Settlement"("payer", "network") WHERE "state" = 'FINAL';
