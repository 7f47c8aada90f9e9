-- Which instance watches the channels of a network and claims for them, and the block up to which their rows say what the chain does.
CREATE TABLE "ChannelWatch" (
  "network" TEXT NOT NULL,
  "holder" TEXT NOT NULL,
  "leaseUntil" TIMESTAMPTZ(3) NOT NULL,
  "block" BIGINT,
  "blockHash" TEXT,
  CONSTRAINT "ChannelWatch_pkey" PRIMARY KEY ("network")
);

-- What was claimed for a receiver with a key and not paid out yet, as far as its channels' rows say.
CREATE TABLE "ChannelDue" (
  "network" TEXT NOT NULL,
  "receiver" TEXT NOT NULL,
  "token" TEXT NOT NULL,
  "tenantId" UUID NOT NULL,
  "amount" DECIMAL(78,0) NOT NULL,
  "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "ChannelDue_pkey" PRIMARY KEY ("network", "receiver", "token", "tenantId")
);
ALTER TABLE "ChannelDue" ADD CONSTRAINT "ChannelDue_tenantId_fkey" FOREIGN KEY ("tenantId") REFERENCES "Tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Since when a part of what is charged is not claimed.
ALTER TABLE "Channel" ADD COLUMN "owedSince" TIMESTAMPTZ(3);
UPDATE "Channel" SET "owedSince" = CURRENT_TIMESTAMP WHERE "charged" > "claimed";
CREATE INDEX "Channel_troubled" ON "Channel"("tenantId", "id") WHERE "withdrawAt" IS NOT NULL OR "unclaimable" IS NOT NULL;
CREATE INDEX "Channel_open" ON "Channel"("network", "id") WHERE "balance" > "claimed" OR "charged" > "claimed" OR "syncedBlock" IS NULL;
CREATE INDEX "Channel_unread" ON "Channel"("network", "id") WHERE "syncedBlock" IS NULL;

-- A claim covers what was charged before it. A newer voucher may be claimable where an earlier one was not.
CREATE FUNCTION "countOwed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' OR NEW."charged" <= NEW."claimed" OR NEW."claimed" <> OLD."claimed" OR OLD."charged" <= OLD."claimed" THEN
    NEW."owedSince" := CASE WHEN NEW."charged" > NEW."claimed" THEN CURRENT_TIMESTAMP END;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW."signature" IS DISTINCT FROM OLD."signature" THEN
    NEW."unclaimable" := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "Channel_owed" BEFORE INSERT OR UPDATE ON "Channel" FOR EACH ROW EXECUTE FUNCTION "countOwed"();
