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
  "free" BOOLEAN NOT NULL,
  "claimKey" BYTEA NOT NULL,
  "checkAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "closedAt" TIMESTAMPTZ(3),
  "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "UptoChannel_pkey" PRIMARY KEY ("network", "id")
);
ALTER TABLE "UptoChannel" ADD CONSTRAINT "UptoChannel_tenantId_fkey" FOREIGN KEY ("tenantId") REFERENCES "Tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "UptoChannel_claim" ON "UptoChannel"("claimKey") WHERE "closedAt" IS NULL;
CREATE INDEX "UptoChannel_due" ON "UptoChannel"("network", "checkAt") WHERE "closedAt" IS NULL;

-- Whether the open channels of a network, those of all keys that cost nothing, those of a tenant, or those of a tenant or its payer without a
-- charge that landed are as many as they may be: each holds rent of ours. One such question is asked after the other until its transaction ends, and each sees what was committed before.
CREATE FUNCTION "uptoChannelsFull"(
  on_network TEXT, of_tenant UUID, by_payer TEXT, is_free BOOLEAN, most INT, free_most INT, share_most INT, tenant_most INT, payer_most INT
) RETURNS BOOLEAN LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('channels on ' || on_network, 0));
  RETURN (
    SELECT count(*) >= most OR (is_free AND count(*) FILTER (WHERE u."free") >= free_most)
      OR count(*) FILTER (WHERE u."tenantId" = of_tenant) >= share_most
      OR count(*) FILTER (WHERE u."tenantId" = of_tenant AND NOT u."charged") >= tenant_most
      OR count(*) FILTER (WHERE u."tenantId" = of_tenant AND u."payer" = by_payer AND NOT u."charged") >= payer_most
    FROM (
      SELECT u."free", u."tenantId", u."payer", u."tenantId" = of_tenant AND EXISTS (
        SELECT 1 FROM "Settlement" s WHERE s."intentKey" = u."claimKey" AND s."state" NOT IN ('REJECTED', 'UNPAID')
          AND s."state" IN ('INCLUDED', 'FINAL')) AS "charged"
      FROM "UptoChannel" u WHERE u."network" = on_network AND u."closedAt" IS NULL) u);
END $$;
