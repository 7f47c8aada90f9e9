-- A receipt that its payer or its merchant shares has a public page at an address of its own.
CREATE TABLE "ReceiptLink" (
  "settlementId" UUID NOT NULL,
  "token" TEXT NOT NULL,
  "party" TEXT NOT NULL,
  "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "withdrawnAt" TIMESTAMPTZ(3),
  "withdrawnBy" TEXT,

  CONSTRAINT "ReceiptLink_pkey" PRIMARY KEY ("settlementId")
);
CREATE UNIQUE INDEX "ReceiptLink_token_key" ON "ReceiptLink"("token");
CREATE INDEX "ReceiptLink_party_idx" ON "ReceiptLink"("party");
ALTER TABLE "ReceiptLink" ADD CONSTRAINT "ReceiptLink_settlementId_fkey" FOREIGN KEY ("settlementId") REFERENCES "Settlement"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Whether each receipt of a key has a public page from the start.
ALTER TABLE "Tenant" ADD COLUMN "publicReceipts" BOOLEAN NOT NULL DEFAULT false;
