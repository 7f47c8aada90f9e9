-- Where a transfer is in its block, and until when the answer to its request waits.
ALTER TABLE "Settlement" ADD COLUMN "logIndex" INTEGER,
ADD COLUMN "waitUntil" TEXT,
ADD COLUMN "paymentIdentifier" TEXT;

-- Whether a key's payments may share a transaction, and for what finality they wait.
ALTER TABLE "Tenant" ADD COLUMN "shareTransactions" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN "waitUntil" TEXT;
ALTER TABLE "Tenant" ADD CONSTRAINT "Tenant_waitUntil" CHECK ("waitUntil" IN ('preconfirmed', 'included', 'safe', 'finalized'));

-- The newest block that the network itself finalized, as far as we read it.
ALTER TABLE "WatchCursor" ADD COLUMN "finalized" BIGINT;

-- A caller looks a settlement up by the id that its client put into the payment.
CREATE INDEX "Settlement_payment_identifier_idx" ON "Settlement"("tenantId", "caller", "paymentIdentifier") WHERE "paymentIdentifier" IS NOT NULL;
