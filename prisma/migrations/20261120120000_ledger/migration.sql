-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "Owner" (
    "kind" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Owner_pkey" PRIMARY KEY ("kind","id")
);

-- CreateTable
CREATE TABLE "Tenant" (
    "id" UUID NOT NULL,
    "ownerKind" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "plan" TEXT NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "historyEnabled" BOOLEAN NOT NULL DEFAULT true,
    "revokedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Tenant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Usage" (
    "subject" TEXT NOT NULL,
    "meter" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "used" INTEGER NOT NULL DEFAULT 0,
    "returned" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "Usage_pkey" PRIMARY KEY ("subject","meter","period")
);

-- CreateTable
CREATE TABLE "Settlement" (
    "id" UUID NOT NULL,
    "intentKey" BYTEA NOT NULL,
    "requestHash" BYTEA NOT NULL,
    "tenantId" UUID NOT NULL,
    "caller" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "plan" TEXT NOT NULL,
    "logged" BOOLEAN NOT NULL,
    "tier" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "asset" TEXT NOT NULL,
    "payer" TEXT NOT NULL,
    "payTo" TEXT NOT NULL,
    "amount" DECIMAL(78,0) NOT NULL,
    "resource" TEXT NOT NULL,
    "transfer" JSONB NOT NULL,
    "declared" JSONB NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'CLAIMED',
    "version" INTEGER NOT NULL DEFAULT 0,
    "expiresAt" BIGINT NOT NULL,
    "slotId" UUID,
    "txHash" TEXT,
    "block" BIGINT,
    "blockHash" TEXT,
    "reason" TEXT,
    "waiter" TEXT,
    "waiterUntil" TIMESTAMPTZ(3),
    "deliveredAt" TIMESTAMPTZ(3),
    "nextCheckAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Settlement_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Step" (
    "settlementId" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "from" TEXT,
    "to" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "Step_pkey" PRIMARY KEY ("settlementId","seq")
);

-- CreateTable
CREATE TABLE "Move" (
    "from" TEXT NOT NULL,
    "to" TEXT NOT NULL,

    CONSTRAINT "Move_pkey" PRIMARY KEY ("from","to")
);

-- CreateTable
CREATE TABLE "Lane" (
    "id" UUID NOT NULL,
    "network" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "class" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'ready',
    "holder" TEXT,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "leaseUntil" TIMESTAMPTZ(3) NOT NULL DEFAULT '-infinity',
    "nextNonce" BIGINT,

    CONSTRAINT "Lane_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Slot" (
    "id" UUID NOT NULL,
    "laneId" UUID NOT NULL,
    "nonce" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Slot_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Attempt" (
    "hash" TEXT NOT NULL,
    "slotId" UUID NOT NULL,
    "raw" TEXT NOT NULL,
    "gas" BIGINT NOT NULL,
    "maxFeePerGas" BIGINT NOT NULL,
    "tipPerGas" BIGINT NOT NULL,
    "sentAt" TIMESTAMPTZ(3),
    "block" BIGINT,
    "succeeded" BOOLEAN,
    "gasUsed" BIGINT,
    "gasPrice" BIGINT,
    "l1Fee" BIGINT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Attempt_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "SlotMember" (
    "slotId" UUID NOT NULL,
    "settlementId" UUID NOT NULL,

    CONSTRAINT "SlotMember_pkey" PRIMARY KEY ("slotId","settlementId")
);

-- CreateTable
CREATE TABLE "History" (
    "id" UUID NOT NULL,
    "settlementId" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "xid" BIGINT NOT NULL DEFAULT (pg_current_xact_id()::text)::bigint,
    "ownerKind" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "tenantId" UUID NOT NULL,
    "payer" TEXT NOT NULL,
    "payTo" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "plan" TEXT NOT NULL,
    "amount" DECIMAL(78,0) NOT NULL,
    "success" BOOLEAN NOT NULL,
    "txHash" TEXT NOT NULL DEFAULT '',
    "errorReason" TEXT,

    CONSTRAINT "History_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Tenant_ownerKind_ownerId_idx" ON "Tenant"("ownerKind", "ownerId");

-- CreateIndex
CREATE INDEX "Settlement_slotId_idx" ON "Settlement"("slotId");

-- CreateIndex
CREATE UNIQUE INDEX "Lane_network_address_key" ON "Lane"("network", "address");

-- CreateIndex
CREATE UNIQUE INDEX "Slot_laneId_nonce_key" ON "Slot"("laneId", "nonce");

-- CreateIndex
CREATE INDEX "Attempt_slotId_idx" ON "Attempt"("slotId");

-- CreateIndex
CREATE INDEX "SlotMember_settlementId_idx" ON "SlotMember"("settlementId");

-- CreateIndex
CREATE UNIQUE INDEX "History_settlementId_key" ON "History"("settlementId");

-- CreateIndex
CREATE INDEX "History_ownerKind_ownerId_createdAt_id_idx" ON "History"("ownerKind", "ownerId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "History_tenantId_createdAt_id_idx" ON "History"("tenantId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "History_payer_createdAt_id_idx" ON "History"("payer", "createdAt", "id");

-- CreateIndex
CREATE INDEX "History_createdAt_id_idx" ON "History"("createdAt", "id");

-- CreateIndex
CREATE INDEX "History_txHash_idx" ON "History"("txHash");

-- AddForeignKey
ALTER TABLE "Tenant" ADD CONSTRAINT "Tenant_ownerKind_ownerId_fkey" FOREIGN KEY ("ownerKind", "ownerId") REFERENCES "Owner"("kind", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Settlement" ADD CONSTRAINT "Settlement_tenantId_fkey" FOREIGN KEY ("tenantId") REFERENCES "Tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Settlement" ADD CONSTRAINT "Settlement_slotId_fkey" FOREIGN KEY ("slotId") REFERENCES "Slot"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Step" ADD CONSTRAINT "Step_settlementId_fkey" FOREIGN KEY ("settlementId") REFERENCES "Settlement"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Slot" ADD CONSTRAINT "Slot_laneId_fkey" FOREIGN KEY ("laneId") REFERENCES "Lane"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Attempt" ADD CONSTRAINT "Attempt_slotId_fkey" FOREIGN KEY ("slotId") REFERENCES "Slot"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SlotMember" ADD CONSTRAINT "SlotMember_slotId_fkey" FOREIGN KEY ("slotId") REFERENCES "Slot"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SlotMember" ADD CONSTRAINT "SlotMember_settlementId_fkey" FOREIGN KEY ("settlementId") REFERENCES "Settlement"("id") ON DELETE RESTRICT ON UPDATE CASCADE;



-- What the schema language cannot say.

-- The double-settle guard: one live or landed settlement per signed transfer, across tenants, tiers and versions.
CREATE UNIQUE INDEX "Settlement_intentKey_key" ON "Settlement"("intentKey") WHERE "state" <> 'REJECTED';

-- Work that is due, and what a payer has in flight.
CREATE INDEX "Settlement_nextCheckAt_idx" ON "Settlement"("nextCheckAt", "id")
  WHERE "state" IN ('CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED', 'INCLUDED');
CREATE INDEX "Settlement_payer_idx" ON "Settlement"("payer")
  WHERE "state" IN ('CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED', 'INCLUDED');

CREATE INDEX "Slot_open_idx" ON "Slot"("laneId", "nonce") WHERE "state" = 'open';

ALTER TABLE "Usage" ADD CONSTRAINT "Usage_bounds" CHECK ("used" >= 0 AND "returned" >= 0);
ALTER TABLE "Settlement" ADD CONSTRAINT "Settlement_amount" CHECK ("amount" > 0);
ALTER TABLE "Settlement" ADD CONSTRAINT "Settlement_signed" 
  CHECK ("slotId" IS NOT NULL OR "state" IN ('CLAIMED', 'REJECTED', 'EXPIRED', 'USED_ELSEWHERE'));

INSERT INTO "Move" ("from", "to") VALUES
  ('CLAIMED', 'PREPARED'), ('CLAIMED', 'REJECTED'), ('CLAIMED', 'EXPIRED'), ('CLAIMED', 'USED_ELSEWHERE'),
  ('PREPARED', 'BROADCAST'), ('PREPARED', 'PRECONFIRMED'), ('PREPARED', 'INCLUDED'), ('PREPARED', 'CLAIMED'),
  ('PREPARED', 'REVERTED'), ('PREPARED', 'USED_ELSEWHERE'), ('PREPARED', 'EXPIRED'), ('PREPARED', 'REVERSED'),
  ('BROADCAST', 'PRECONFIRMED'), ('BROADCAST', 'INCLUDED'), ('BROADCAST', 'CLAIMED'),
  ('BROADCAST', 'REVERTED'), ('BROADCAST', 'USED_ELSEWHERE'), ('BROADCAST', 'EXPIRED'), ('BROADCAST', 'REVERSED'),
  ('PRECONFIRMED', 'INCLUDED'), ('PRECONFIRMED', 'BROADCAST'), ('PRECONFIRMED', 'REVERSED'),
  ('INCLUDED', 'FINAL'), ('INCLUDED', 'BROADCAST'), ('INCLUDED', 'REVERSED');

-- Every move is legal and recorded, whoever makes it.
CREATE FUNCTION "Settlement_move"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW."state" <> 'CLAIMED' THEN
      RAISE EXCEPTION 'a settlement starts as CLAIMED, not %', NEW."state" USING ERRCODE = 'check_violation';
    END IF;
    INSERT INTO "Step" ("settlementId", "seq", "from", "to") VALUES (NEW."id", NEW."version", NULL, NEW."state");
  ELSIF NEW."state" <> OLD."state" THEN
    IF NOT EXISTS (SELECT 1 FROM "Move" m WHERE m."from" = OLD."state" AND m."to" = NEW."state") THEN
      RAISE EXCEPTION 'illegal settlement move % to %', OLD."state", NEW."state" USING ERRCODE = 'check_violation';
    END IF;
    NEW."version" := OLD."version" + 1;
    INSERT INTO "Step" ("settlementId", "seq", "from", "to") VALUES (NEW."id", NEW."version", OLD."state", NEW."state");
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "Settlement_move_insert" AFTER INSERT ON "Settlement" FOR EACH ROW EXECUTE FUNCTION "Settlement_move"();
CREATE TRIGGER "Settlement_move_update" BEFORE UPDATE OF "state" ON "Settlement" FOR EACH ROW EXECUTE FUNCTION "Settlement_move"();

-- The sandbox: its own tenant of the house, for callers without a key.
INSERT INTO "Owner" ("kind", "id") VALUES ('system', 'quittance');
INSERT INTO "Tenant" ("id", "ownerKind", "ownerId", "plan", "name")
  VALUES ('00000000-0000-0000-0000-000000000000', 'system', 'quittance', 'sandbox', 'Sandbox');
