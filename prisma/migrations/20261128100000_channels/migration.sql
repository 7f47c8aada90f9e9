-- What a settlement is: a payment, or a deposit into a channel, claims of vouchers, a refund, or the payment of what was claimed.
-- Only payments are in histories: what a channel's vouchers charge is counted once.
ALTER TABLE "Settlement" ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'payment'
  CONSTRAINT "Settlement_kind" CHECK ("kind" IN ('payment', 'deposit', 'claim', 'refund', 'sweep'));

-- A channel whose claims and refunds are signed here, with the newest voucher that was verified and what is known to be charged.
CREATE TABLE "Channel" (
  "network" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "tenantId" UUID NOT NULL,
  "config" JSONB NOT NULL,
  "signed" DECIMAL(78,0) NOT NULL DEFAULT 0,
  "signature" TEXT,
  "charged" DECIMAL(78,0) NOT NULL DEFAULT 0,
  "presented" DECIMAL(78,0) NOT NULL DEFAULT 0,
  "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "Channel_pkey" PRIMARY KEY ("network", "id")
);
CREATE INDEX "Channel_tenantId_idx" ON "Channel"("tenantId");
ALTER TABLE "Channel" ADD CONSTRAINT "Channel_tenantId_fkey" FOREIGN KEY ("tenantId") REFERENCES "Tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE FUNCTION "keepChannel"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."tenantId" <> OLD."tenantId" OR NEW."config" <> OLD."config" THEN
    RAISE EXCEPTION 'channel % on % cannot change its tenant or config', OLD."id", OLD."network";
  END IF;
  IF NEW."charged" < OLD."charged" OR NEW."presented" < OLD."presented" THEN
    RAISE EXCEPTION 'channel % on % cannot be charged or claimed less than before', OLD."id", OLD."network";
  END IF;
  NEW."updatedAt" := CURRENT_TIMESTAMP;
  RETURN NEW;
END $$;
CREATE TRIGGER "Channel_keep" BEFORE UPDATE ON "Channel" FOR EACH ROW EXECUTE FUNCTION "keepChannel"();

-- The rows of a claim, or of a refund: written before anything is signed.
CREATE TABLE "ChannelClaim" (
  "settlementId" UUID NOT NULL,
  "network" TEXT NOT NULL,
  "channelId" TEXT NOT NULL,
  "total" DECIMAL(78,0) NOT NULL,
  "signed" DECIMAL(78,0) NOT NULL,
  CONSTRAINT "ChannelClaim_pkey" PRIMARY KEY ("settlementId", "channelId"),
  CONSTRAINT "ChannelClaim_covered" CHECK ("total" <= "signed")
);
CREATE INDEX "ChannelClaim_network_channelId_total_idx" ON "ChannelClaim"("network", "channelId", "total");
