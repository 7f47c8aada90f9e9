-- On Solana a payment that signs a maximum goes through a channel: `escrow` takes the maximum into it, and a payment takes the charge out of
-- it. `close` gives back what nobody charges, `reclaim` the rent. All are transactions, so a charge of nothing lands too.
ALTER TABLE "Settlement" DROP CONSTRAINT "Settlement_kind";
ALTER TABLE "Settlement" ADD CONSTRAINT "Settlement_kind"
  CHECK ("kind" IN ('payment', 'deposit', 'claim', 'refund', 'sweep', 'escrow', 'close', 'reclaim')) NOT VALID;
ALTER TABLE "Settlement" DROP CONSTRAINT "Settlement_amount";
ALTER TABLE "Settlement" ADD CONSTRAINT "Settlement_amount"
  CHECK (
    ("amount" > 0 AND "amount" <= COALESCE("maximum", "amount"))
    OR ("amount" = 0 AND COALESCE("maximum", 0) > 0 AND ("network" LIKE 'solana:%' OR "state" IN ('CLAIMED', 'REJECTED', 'UNCHARGED')))
  ) NOT VALID;

-- Such a channel: written with the deposit, before any byte of it is sent. `closedAt`: no rent of ours is in it any more.
CREATE TABLE "UptoChannel" (
  "network" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "tenantId" UUID NOT NULL,
  "depositId" UUID NOT NULL,
  "payer" TEXT NOT NULL,
  "payTo" TEXT NOT NULL,
  "asset" TEXT NOT NULL,
  "tokenProgram" TEXT NOT NULL,
  "feePayer" TEXT NOT NULL,
  "authorizer" TEXT NOT NULL,
  "maximum" DECIMAL(78,0) NOT NULL,
  "withdrawDelay" INTEGER NOT NULL,
  "openSlot" BIGINT NOT NULL,
  "expiresAt" BIGINT NOT NULL,
  "checkAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "closedAt" TIMESTAMPTZ(3),
  "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "UptoChannel_pkey" PRIMARY KEY ("network", "id")
);
ALTER TABLE "UptoChannel" ADD CONSTRAINT "UptoChannel_tenantId_fkey" FOREIGN KEY ("tenantId") REFERENCES "Tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "UptoChannel_open" ON "UptoChannel"("tenantId", "payer") WHERE "closedAt" IS NULL;
CREATE INDEX "UptoChannel_due" ON "UptoChannel"("network", "checkAt") WHERE "closedAt" IS NULL;
