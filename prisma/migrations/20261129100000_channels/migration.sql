-- What a settlement is: a payment, or a deposit into a channel, claims of vouchers, a refund, or the payment of what was claimed.
-- Only payments are in histories: what a channel's vouchers charge is counted once.
ALTER TABLE "Settlement" ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'payment';
ALTER TABLE "Settlement" ADD CONSTRAINT "Settlement_kind" CHECK ("kind" IN ('payment', 'deposit', 'claim', 'refund', 'sweep')) NOT VALID;

-- A channel whose claims and refunds are signed here, with the newest voucher that was verified and what is known to be charged. Merchants'
-- servers may keep their channels here: then "stored" is true, each write raises "version", and
-- "mutations" names the newest writes.
CREATE TABLE "Channel" (
  "network" TEXT NOT NULL,
  "id" TEXT NOT NULL,
  "tenantId" UUID NOT NULL,
  "config" JSONB NOT NULL,
  "payer" TEXT NOT NULL,
  "receiver" TEXT NOT NULL,
  "token" TEXT NOT NULL,
  "signed" DECIMAL(78,0) NOT NULL DEFAULT 0,
  "signature" TEXT,
  "charged" DECIMAL(78,0) NOT NULL DEFAULT 0,
  "presented" DECIMAL(78,0) NOT NULL DEFAULT 0,
  "stored" BOOLEAN NOT NULL DEFAULT false,
  "version" BIGINT NOT NULL DEFAULT 0,
  "mutations" TEXT[] NOT NULL DEFAULT '{}',
  "pending" JSONB,
  "usedAt" TIMESTAMPTZ(3),
  "deletedAt" TIMESTAMPTZ(3),
  "balance" DECIMAL(78,0) NOT NULL DEFAULT 0,
  "claimed" DECIMAL(78,0) NOT NULL DEFAULT 0,
  "refundNonce" DECIMAL(78,0) NOT NULL DEFAULT 0,
  "withdrawing" DECIMAL(78,0) NOT NULL DEFAULT 0,
  "withdrawAt" TIMESTAMPTZ(3),
  "syncedBlock" BIGINT,
  "syncedAt" TIMESTAMPTZ(3),
  "unclaimable" TEXT,
  "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "Channel_pkey" PRIMARY KEY ("network", "id"),
  CONSTRAINT "Channel_charged" CHECK (NOT "stored" OR "charged" <= "signed" OR "deletedAt" IS NOT NULL)
);
CREATE INDEX "Channel_tenantId_createdAt_id_idx" ON "Channel"("tenantId", "createdAt", "id");
CREATE INDEX "Channel_payer_createdAt_id_idx" ON "Channel"("payer", "createdAt", "id");
CREATE INDEX "Channel_stored" ON "Channel"("tenantId", "network", "id") WHERE "stored" AND "deletedAt" IS NULL;
CREATE INDEX "Channel_undeposited" ON "Channel"("tenantId", "createdAt") WHERE "stored" AND "balance" = 0 AND "claimed" = 0;
CREATE INDEX "Channel_unclaimed" ON "Channel"("network", "updatedAt") WHERE "charged" > "claimed";
CREATE INDEX "Channel_withdrawing" ON "Channel"("network", "withdrawAt") WHERE "withdrawAt" IS NOT NULL;
ALTER TABLE "Channel" ADD CONSTRAINT "Channel_tenantId_fkey" FOREIGN KEY ("tenantId") REFERENCES "Tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE FUNCTION "keepChannel"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."tenantId" <> OLD."tenantId" OR NEW."config" <> OLD."config" THEN
    RAISE EXCEPTION 'channel % on % cannot change its tenant or config', OLD."id", OLD."network";
  END IF;
  IF NEW."version" < OLD."version" THEN
    RAISE EXCEPTION 'channel % on % cannot return to an earlier version', OLD."id", OLD."network";
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

-- What the vouchers of a tenant were charged per UTC day: counted with the write that charges.
CREATE TABLE "ChannelUsage" (
  "tenantId" UUID NOT NULL,
  "day" DATE NOT NULL,
  "network" TEXT NOT NULL,
  "token" TEXT NOT NULL,
  "requests" BIGINT NOT NULL DEFAULT 0,
  "charged" DECIMAL(78,0) NOT NULL DEFAULT 0,
  CONSTRAINT "ChannelUsage_pkey" PRIMARY KEY ("tenantId", "day", "network", "token")
);
ALTER TABLE "ChannelUsage" ADD CONSTRAINT "ChannelUsage_tenantId_fkey" FOREIGN KEY ("tenantId") REFERENCES "Tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- When the service claims the vouchers of a tenant's channels: from so much unclaimed (atomic units), after so many seconds, and while gas costs
-- no more (wei). Null is the service's own default.
ALTER TABLE "Tenant" ADD COLUMN "claimAbove" DECIMAL(78,0);
ALTER TABLE "Tenant" ADD COLUMN "claimAfterSeconds" INTEGER;
ALTER TABLE "Tenant" ADD COLUMN "claimMaxGasPrice" DECIMAL(78,0);
