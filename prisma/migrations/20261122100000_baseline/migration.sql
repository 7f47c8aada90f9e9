-- The whole schema. `prisma/schema.prisma` describes the tables; the end of this file has what its language cannot say.

-- A row's time is taken after its transaction can be seen to be under way, never before: pages end where nothing older can appear.
CREATE FUNCTION "History_now"() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT CASE WHEN pg_current_xact_id() IS NOT NULL THEN clock_timestamp() END
$$;

-- CreateTable
CREATE TABLE "Owner" (
    "kind" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "keysMadeAt" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[],

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
    "ownQuota" BOOLEAN NOT NULL DEFAULT true,
    "rps" INTEGER,
    "settlementQuota" INTEGER,
    "verificationQuota" INTEGER,
    "allowedNetworks" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "payToAllow" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "maxAmount" DECIMAL(78,0),
    "version" INTEGER NOT NULL DEFAULT 0,
    "revokedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Tenant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiKey" (
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "prefix" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "graceUntil" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),
    "lastUsedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ApiKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SponsorSpend" (
    "day" DATE NOT NULL,
    "tenantId" UUID NOT NULL,
    "network" TEXT NOT NULL,
    "spent" DECIMAL(78,0) NOT NULL DEFAULT 0,

    CONSTRAINT "SponsorSpend_pkey" PRIMARY KEY ("day","tenantId","network")
);

-- CreateTable
CREATE TABLE "Idempotency" (
    "scope" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "bodyHash" BYTEA NOT NULL,
    "token" UUID NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 1,
    "lockedUntil" TIMESTAMPTZ(3) NOT NULL,
    "answer" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Idempotency_pkey" PRIMARY KEY ("scope","key")
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
CREATE TABLE "Tally" (
    "subject" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 0,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Tally_pkey" PRIMARY KEY ("subject","kind","period")
);

-- CreateTable
CREATE TABLE "CreditAccount" (
    "wallet" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "purchased" BIGINT NOT NULL DEFAULT 0,
    "used" BIGINT NOT NULL DEFAULT 0,
    "verifications" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "CreditAccount_pkey" PRIMARY KEY ("wallet","environment")
);

-- CreateTable
CREATE TABLE "CreditEntry" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "wallet" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "delta" BIGINT NOT NULL,
    "settlementId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "CreditEntry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Settlement" (
    "id" UUID NOT NULL,
    "intentKey" BYTEA NOT NULL,
    "requestHash" BYTEA NOT NULL,
    "tenantId" UUID NOT NULL,
    "caller" TEXT NOT NULL,
    "party" TEXT NOT NULL DEFAULT '',
    "alone" BOOLEAN NOT NULL DEFAULT false,
    "newcomer" BOOLEAN NOT NULL DEFAULT false,
    "subject" TEXT NOT NULL,
    "period" TEXT NOT NULL,
    "returnCap" INTEGER NOT NULL,
    "plan" TEXT NOT NULL,
    "logged" BOOLEAN NOT NULL,
    "tier" TEXT NOT NULL,
    "laneClass" TEXT NOT NULL,
    "queuedBy" TEXT,
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
    "returns" INTEGER NOT NULL DEFAULT 0,
    "sinceBlock" BIGINT,
    "senders" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "effects" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "credits" INTEGER NOT NULL DEFAULT 0,
    "txHash" TEXT,
    "block" BIGINT,
    "blockHash" TEXT,
    "reason" TEXT,
    "detail" TEXT,
    "waiter" TEXT,
    "waiterUntil" TIMESTAMPTZ(3),
    "deliveredAt" TIMESTAMPTZ(3),
    "deliveredTo" TEXT,
    "nextCheckAt" TIMESTAMPTZ(3) NOT NULL,
    "scrubbedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Settlement_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SvmAttempt" (
    "signature" TEXT NOT NULL,
    "settlementId" UUID NOT NULL,
    "raw" TEXT NOT NULL,
    "fee" BIGINT NOT NULL,
    "sentAt" TIMESTAMPTZ(3),
    "slot" BIGINT,
    "succeeded" BOOLEAN,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SvmAttempt_pkey" PRIMARY KEY ("signature")
);

-- CreateTable
CREATE TABLE "PayerFailure" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "network" TEXT NOT NULL,
    "payer" TEXT NOT NULL,
    "tenantId" UUID NOT NULL,
    "party" TEXT NOT NULL,
    "settlementId" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PayerFailure_pkey" PRIMARY KEY ("id")
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
    "leaseUntil" TIMESTAMPTZ(3) NOT NULL DEFAULT '-infinity'::timestamp with time zone,
    "nextNonce" BIGINT,
    "usable" BOOLEAN NOT NULL DEFAULT false,
    "quarantinedAt" TIMESTAMPTZ(3),
    "quarantineWhy" TEXT,

    CONSTRAINT "Lane_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WatchCursor" (
    "network" TEXT NOT NULL,
    "holder" TEXT,
    "leaseUntil" TIMESTAMPTZ(3) NOT NULL DEFAULT '-infinity'::timestamp with time zone,
    "block" BIGINT,
    "blockHash" TEXT,
    "blockTime" BIGINT,
    "baseFee" DECIMAL(78,0),

    CONSTRAINT "WatchCursor_pkey" PRIMARY KEY ("network")
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
    "kind" TEXT NOT NULL DEFAULT 'pay',
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
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT "History_now"(),
    "xid" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
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
    "caller" TEXT,

    CONSTRAINT "History_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Session" (
    "tokenHash" BYTEA NOT NULL,
    "wallet" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Session_pkey" PRIMARY KEY ("tokenHash")
);

-- CreateTable
CREATE TABLE "EndedSession" (
    "id" UUID NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "EndedSession_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RollupDay" (
    "tenantId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "state" TEXT NOT NULL,
    "pruned" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "RollupDay_pkey" PRIMARY KEY ("tenantId","day")
);

-- CreateTable
CREATE TABLE "RollupFact" (
    "tenantId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "no" INTEGER NOT NULL,
    "network" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "payTo" TEXT NOT NULL,
    "errorReason" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "volume" DECIMAL(98,0) NOT NULL,

    CONSTRAINT "RollupFact_pkey" PRIMARY KEY ("tenantId","day","no")
);

-- CreateTable
CREATE TABLE "RollupPayer" (
    "tenantId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "network" TEXT NOT NULL,
    "payer" TEXT NOT NULL,

    CONSTRAINT "RollupPayer_pkey" PRIMARY KEY ("tenantId","day","network","payer")
);

-- CreateTable
CREATE TABLE "RollupCursor" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "day" DATE NOT NULL,

    CONSTRAINT "RollupCursor_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AnalyticsEpoch" (
    "scope" TEXT NOT NULL,
    "epoch" BIGINT NOT NULL DEFAULT 1,

    CONSTRAINT "AnalyticsEpoch_pkey" PRIMARY KEY ("scope")
);

-- CreateTable
CREATE TABLE "AnalyticsMemo" (
    "scope" TEXT NOT NULL,
    "days" INTEGER NOT NULL,
    "network" TEXT NOT NULL,
    "endDate" DATE NOT NULL,
    "epoch" BIGINT NOT NULL,
    "answer" JSON NOT NULL,

    CONSTRAINT "AnalyticsMemo_pkey" PRIMARY KEY ("scope","days","network")
);

-- CreateTable
CREATE TABLE "Outbox" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "data" JSONB,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "nextAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "doneAt" TIMESTAMPTZ(3),
    "gaveUp" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "Outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Resource" (
    "id" UUID NOT NULL,
    "environment" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "class" TEXT NOT NULL,
    "x402Version" INTEGER NOT NULL,
    "description" TEXT,
    "mimeType" TEXT,
    "serviceName" TEXT,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "iconUrl" TEXT,
    "bazaar" JSONB NOT NULL,
    "digest" TEXT NOT NULL,
    "search" tsvector NOT NULL,
    "firstSeen" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSeen" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Resource_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ResourceAccept" (
    "resourceId" UUID NOT NULL,
    "scheme" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "payTo" TEXT NOT NULL,
    "requirements" JSONB NOT NULL,

    CONSTRAINT "ResourceAccept_pkey" PRIMARY KEY ("resourceId","scheme","network")
);

-- CreateTable
CREATE TABLE "AgentToken" (
    "network" TEXT NOT NULL,
    "tokenId" TEXT NOT NULL,
    "wallet" TEXT NOT NULL,
    "name" TEXT,
    "url" TEXT NOT NULL,

    CONSTRAINT "AgentToken_pkey" PRIMARY KEY ("network","tokenId")
);

-- CreateTable
CREATE TABLE "AgentLookup" (
    "wallet" TEXT NOT NULL,
    "askedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AgentLookup_pkey" PRIMARY KEY ("wallet")
);

-- CreateTable
CREATE TABLE "WebhookEndpoint" (
    "id" UUID NOT NULL,
    "ownerKind" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "tenantIds" UUID[] DEFAULT ARRAY[]::UUID[],
    "secret" BYTEA NOT NULL,
    "earlier" BYTEA,
    "graceUntil" TIMESTAMPTZ(3),
    "disabledAt" TIMESTAMPTZ(3),
    "gone" BOOLEAN NOT NULL DEFAULT false,
    "removedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "WebhookEndpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "id" UUID NOT NULL,
    "endpointId" UUID NOT NULL,
    "ownerKind" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "settlementId" UUID,
    "body" TEXT,
    "kept" BOOLEAN NOT NULL DEFAULT true,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "tries" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "nextAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "lastStatus" INTEGER,
    "lastError" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "endedAt" TIMESTAMPTZ(3),

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookAttempt" (
    "deliveryId" UUID NOT NULL,
    "no" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "status" INTEGER,
    "error" TEXT,
    "milliseconds" INTEGER NOT NULL,

    CONSTRAINT "WebhookAttempt_pkey" PRIMARY KEY ("deliveryId","no")
);

-- CreateIndex
CREATE INDEX "Tenant_ownerKind_ownerId_id_idx" ON "Tenant"("ownerKind", "ownerId", "id");

-- CreateIndex
CREATE UNIQUE INDEX "ApiKey_hash_key" ON "ApiKey"("hash");

-- CreateIndex
CREATE INDEX "ApiKey_tenantId_id_idx" ON "ApiKey"("tenantId", "id");

-- CreateIndex
CREATE INDEX "Idempotency_createdAt_idx" ON "Idempotency"("createdAt");

-- CreateIndex
CREATE INDEX "Usage_period_idx" ON "Usage"("period");

-- CreateIndex
CREATE INDEX "Tally_until_idx" ON "Tally"("until");

-- CreateIndex
CREATE INDEX "CreditEntry_wallet_environment_createdAt_idx" ON "CreditEntry"("wallet", "environment", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "CreditEntry_settlementId_kind_key" ON "CreditEntry"("settlementId", "kind");

-- CreateIndex
CREATE INDEX "Settlement_slotId_idx" ON "Settlement"("slotId");

-- CreateIndex
CREATE UNIQUE INDEX "SvmAttempt_settlementId_key" ON "SvmAttempt"("settlementId");

-- CreateIndex
CREATE UNIQUE INDEX "PayerFailure_settlementId_key" ON "PayerFailure"("settlementId");

-- CreateIndex
CREATE INDEX "PayerFailure_network_payer_at_idx" ON "PayerFailure"("network", "payer", "at");

-- CreateIndex
CREATE INDEX "PayerFailure_network_party_at_idx" ON "PayerFailure"("network", "party", "at");

-- CreateIndex
CREATE INDEX "PayerFailure_at_idx" ON "PayerFailure"("at");

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
CREATE INDEX "History_ownerKind_ownerId_network_createdAt_id_idx" ON "History"("ownerKind", "ownerId", "network", "createdAt", "id");

-- CreateIndex
CREATE INDEX "History_tenantId_createdAt_id_idx" ON "History"("tenantId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "History_payer_createdAt_id_idx" ON "History"("payer", "createdAt", "id");

-- CreateIndex
CREATE INDEX "History_createdAt_id_idx" ON "History"("createdAt", "id");

-- CreateIndex
CREATE INDEX "History_txHash_idx" ON "History"("txHash");

-- CreateIndex
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");

-- CreateIndex
CREATE INDEX "EndedSession_expiresAt_idx" ON "EndedSession"("expiresAt");

-- CreateIndex
CREATE INDEX "RollupFact_day_idx" ON "RollupFact"("day");

-- CreateIndex
CREATE INDEX "RollupPayer_day_idx" ON "RollupPayer"("day");

-- CreateIndex
CREATE INDEX "AnalyticsMemo_endDate_idx" ON "AnalyticsMemo"("endDate");

-- CreateIndex
CREATE INDEX "Resource_environment_lastSeen_id_idx" ON "Resource"("environment", "lastSeen" DESC, "id");

-- CreateIndex
CREATE INDEX "Resource_owner_environment_firstSeen_idx" ON "Resource"("owner", "environment", "firstSeen");

-- CreateIndex
CREATE INDEX "Resource_host_environment_class_idx" ON "Resource"("host", "environment", "class");

-- CreateIndex
CREATE INDEX "Resource_lastSeen_idx" ON "Resource"("lastSeen");

-- CreateIndex
CREATE INDEX "Resource_search_idx" ON "Resource" USING GIN ("search");

-- CreateIndex
CREATE UNIQUE INDEX "Resource_environment_url_key" ON "Resource"("environment", "url");

-- CreateIndex
CREATE INDEX "ResourceAccept_payTo_idx" ON "ResourceAccept"("payTo");

-- CreateIndex
CREATE INDEX "ResourceAccept_network_idx" ON "ResourceAccept"("network");

-- CreateIndex
CREATE INDEX "AgentToken_wallet_idx" ON "AgentToken"("wallet");

-- CreateIndex
CREATE INDEX "AgentLookup_askedAt_idx" ON "AgentLookup"("askedAt");

-- CreateIndex
CREATE INDEX "WebhookEndpoint_ownerKind_ownerId_id_idx" ON "WebhookEndpoint"("ownerKind", "ownerId", "id");

-- CreateIndex
CREATE INDEX "WebhookDelivery_ownerKind_ownerId_id_idx" ON "WebhookDelivery"("ownerKind", "ownerId", "id");

-- CreateIndex
CREATE INDEX "WebhookDelivery_endpointId_id_idx" ON "WebhookDelivery"("endpointId", "id");

-- CreateIndex
CREATE INDEX "WebhookDelivery_settlementId_idx" ON "WebhookDelivery"("settlementId");

-- CreateIndex
CREATE INDEX "WebhookDelivery_createdAt_idx" ON "WebhookDelivery"("createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "WebhookDelivery_endpointId_settlementId_type_key" ON "WebhookDelivery"("endpointId", "settlementId", "type");

-- AddForeignKey
ALTER TABLE "Tenant" ADD CONSTRAINT "Tenant_ownerKind_ownerId_fkey" FOREIGN KEY ("ownerKind", "ownerId") REFERENCES "Owner"("kind", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiKey" ADD CONSTRAINT "ApiKey_tenantId_fkey" FOREIGN KEY ("tenantId") REFERENCES "Tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SponsorSpend" ADD CONSTRAINT "SponsorSpend_tenantId_fkey" FOREIGN KEY ("tenantId") REFERENCES "Tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Settlement" ADD CONSTRAINT "Settlement_tenantId_fkey" FOREIGN KEY ("tenantId") REFERENCES "Tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Settlement" ADD CONSTRAINT "Settlement_slotId_fkey" FOREIGN KEY ("slotId") REFERENCES "Slot"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SvmAttempt" ADD CONSTRAINT "SvmAttempt_settlementId_fkey" FOREIGN KEY ("settlementId") REFERENCES "Settlement"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

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

-- AddForeignKey
ALTER TABLE "ResourceAccept" ADD CONSTRAINT "ResourceAccept_resourceId_fkey" FOREIGN KEY ("resourceId") REFERENCES "Resource"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_endpointId_fkey" FOREIGN KEY ("endpointId") REFERENCES "WebhookEndpoint"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookAttempt" ADD CONSTRAINT "WebhookAttempt_deliveryId_fkey" FOREIGN KEY ("deliveryId") REFERENCES "WebhookDelivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- What the schema language cannot say.

-- Settlements

-- The double-settle guard: one live or landed settlement per signed transfer, across tenants, tiers and versions. What was rejected was never
-- signed, and what is unpaid can never be paid by us: both leave the intent free.
CREATE UNIQUE INDEX "Settlement_intentKey_key" ON "Settlement"("intentKey") WHERE "state" NOT IN ('REJECTED', 'UNPAID');

-- Work that is due, and what a payer has in flight.
CREATE INDEX "Settlement_nextCheckAt_idx" ON "Settlement"("nextCheckAt", "id")
  WHERE "state" IN ('CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED', 'INCLUDED');
CREATE INDEX "Settlement_payer_idx" ON "Settlement"("payer")
  WHERE "state" IN ('CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED', 'INCLUDED');

-- What a party has on its way to the chain: the queue that its cap bounds.
CREATE INDEX "Settlement_party_idx" ON "Settlement"("party", "network", "createdAt") WHERE "state" IN ('CLAIMED', 'PREPARED', 'BROADCAST');

-- What a caller has been promised and no block holds yet.
CREATE INDEX "Settlement_flash_idx" ON "Settlement"("caller") INCLUDE ("amount")
  WHERE "tier" = 'flash' AND "state" IN ('CLAIMED', 'PREPARED', 'BROADCAST', 'PRECONFIRMED');

-- Claims are looked through by their signers, whether somebody has them in a queue or not.
CREATE INDEX "Settlement_claimed_idx" ON "Settlement"("network", "laneClass", "id") WHERE "state" = 'CLAIMED';

-- Whether a payer has paid before: at a claim, and before a batch is signed. A settlement enters it once, when it is final.
CREATE INDEX "Settlement_paid_idx" ON "Settlement"("payer", "caller") WHERE "state" = 'FINAL';

-- A lane's transactions are found through its slots, another facilitator's by its hash.
CREATE INDEX "Settlement_remote_transaction_idx" ON "Settlement"("txHash") WHERE "laneClass" = 'remote';

-- Settlements of keys that keep no history, until what safety does not need is gone from them.
CREATE INDEX "Settlement_unlogged_idx" ON "Settlement"("createdAt", "id") WHERE NOT "logged" AND "scrubbedAt" IS NULL;

CREATE INDEX "Slot_open_idx" ON "Slot"("laneId", "nonce") WHERE "state" = 'open';

-- Room on the page for the updates that touch no index: waiters and deliveries.
ALTER TABLE "Settlement" SET (fillfactor = 70);

ALTER TABLE "Settlement" ADD CONSTRAINT "Settlement_amount" CHECK ("amount" > 0);
-- What is under way has signed bytes: a slot of a lane, or on Solana, where nothing has a nonce, the one signature under which it can land.
-- What another facilitator has is its own to know.
ALTER TABLE "Settlement" ADD CONSTRAINT "Settlement_signed" CHECK (
  "slotId" IS NOT NULL OR "laneClass" = 'remote' OR ("network" LIKE 'solana:%' AND "txHash" IS NOT NULL AND "sinceBlock" IS NOT NULL)
  OR "state" IN ('CLAIMED', 'REJECTED', 'EXPIRED', 'USED_ELSEWHERE', 'UNPAID', 'REVERSED')
);
-- One that was handed over can be searched for on the chain.
ALTER TABLE "Settlement" ADD CONSTRAINT "Settlement_handed_over"
  CHECK ("laneClass" <> 'remote' OR "sinceBlock" IS NOT NULL OR "state" IN ('CLAIMED', 'REJECTED'));

INSERT INTO "Move" ("from", "to") VALUES
  ('CLAIMED', 'PREPARED'), ('CLAIMED', 'REJECTED'), ('CLAIMED', 'EXPIRED'), ('CLAIMED', 'USED_ELSEWHERE'), ('CLAIMED', 'UNPAID'),
  ('CLAIMED', 'REVERSED'),
  ('PREPARED', 'BROADCAST'), ('PREPARED', 'PRECONFIRMED'), ('PREPARED', 'INCLUDED'), ('PREPARED', 'CLAIMED'),
  ('PREPARED', 'REVERTED'), ('PREPARED', 'USED_ELSEWHERE'), ('PREPARED', 'EXPIRED'), ('PREPARED', 'REVERSED'),
  ('BROADCAST', 'PRECONFIRMED'), ('BROADCAST', 'INCLUDED'), ('BROADCAST', 'CLAIMED'),
  ('BROADCAST', 'REVERTED'), ('BROADCAST', 'USED_ELSEWHERE'), ('BROADCAST', 'EXPIRED'), ('BROADCAST', 'REVERSED'),
  ('PRECONFIRMED', 'INCLUDED'), ('PRECONFIRMED', 'BROADCAST'), ('PRECONFIRMED', 'REVERSED'),
  ('INCLUDED', 'FINAL'), ('INCLUDED', 'BROADCAST'), ('INCLUDED', 'REVERSED');

-- Every move is legal and recorded, by any writer. The connection that made it gets a notice beside the statement's answer, so logs and metrics
-- cost no trip of their own. INFO always reaches the client and by default no log of the server.
CREATE FUNCTION "Settlement_move"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  since timestamptz;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW."state" <> 'CLAIMED' THEN
      RAISE EXCEPTION 'a settlement starts as CLAIMED, not %', NEW."state" USING ERRCODE = 'check_violation';
    END IF;
    INSERT INTO "Step" ("settlementId", "seq", "from", "to") VALUES (NEW."id", NEW."version", NULL, NEW."state");
    RAISE INFO '%', json_build_object('settlementId', NEW."id", 'network', NEW."network", 'tier', NEW."tier",
      'from', NULL, 'to', NEW."state", 'milliseconds', 0) USING ERRCODE = 'QT002';
  ELSIF NEW."state" <> OLD."state" THEN
    IF NOT EXISTS (SELECT 1 FROM "Move" m WHERE m."from" = OLD."state" AND m."to" = NEW."state") THEN
      RAISE EXCEPTION 'illegal settlement move % to %', OLD."state", NEW."state" USING ERRCODE = 'check_violation';
    END IF;
    NEW."version" := OLD."version" + 1;
    SELECT s."at" INTO since FROM "Step" s WHERE s."settlementId" = NEW."id" AND s."seq" = OLD."version";
    INSERT INTO "Step" ("settlementId", "seq", "from", "to") VALUES (NEW."id", NEW."version", OLD."state", NEW."state");
    RAISE INFO '%', json_build_object('settlementId', NEW."id", 'network', NEW."network", 'tier', NEW."tier",
      'from', OLD."state", 'to', NEW."state",
      'milliseconds', greatest(0, round(extract(epoch FROM clock_timestamp() - COALESCE(since, NEW."createdAt")) * 1000))) USING ERRCODE = 'QT002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "Settlement_move_insert" AFTER INSERT ON "Settlement" FOR EACH ROW EXECUTE FUNCTION "Settlement_move"();
CREATE TRIGGER "Settlement_move_update" BEFORE UPDATE OF "state" ON "Settlement" FOR EACH ROW EXECUTE FUNCTION "Settlement_move"();

-- Payments that failed on the chain at our cost
ALTER TABLE "PayerFailure" ADD CONSTRAINT "PayerFailure_kind"
  CHECK ("kind" IN ('burned', 'unpaid', 'reverted', 'used_elsewhere', 'expired', 'reversed'));
-- Before a batch is signed: whether a payer's code burnt gas within the hour.
CREATE INDEX "PayerFailure_burned_idx" ON "PayerFailure"("network", "at") WHERE "kind" = 'burned';

-- Tenants and keys

-- An owner's live tenants are found whatever it revoked.
CREATE INDEX "Tenant_live_idx" ON "Tenant"("ownerKind", "ownerId", "id") WHERE "revokedAt" IS NULL;
-- Secrets that ended, by when they did.
CREATE INDEX "ApiKey_ended_idx" ON "ApiKey"((LEAST("revokedAt", "graceUntil"))) WHERE LEAST("revokedAt", "graceUntil") IS NOT NULL;

ALTER TABLE "Tenant" ADD CONSTRAINT "Tenant_overrides"
  CHECK ("rps" >= 1 AND "settlementQuota" >= 0 AND "verificationQuota" >= 0 AND "maxAmount" > 0);

-- A claim that was admitted by older settings must see that they changed.
CREATE FUNCTION "Tenant_version"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."version" := OLD."version" + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER "Tenant_version" BEFORE UPDATE ON "Tenant" FOR EACH ROW EXECUTE FUNCTION "Tenant_version"();

-- Instances remember what a key opens. A change of a tenant or of its keys makes them read again.
CREATE FUNCTION "Tenant_notice"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('quittance', 'tenant ' || (to_jsonb(NEW) ->> TG_ARGV[0]));
  RETURN NULL;
END $$;
CREATE TRIGGER "Tenant_notice" AFTER UPDATE ON "Tenant" FOR EACH ROW EXECUTE FUNCTION "Tenant_notice"('id');
CREATE TRIGGER "ApiKey_notice" AFTER UPDATE OF "revokedAt", "graceUntil" ON "ApiKey" FOR EACH ROW
  EXECUTE FUNCTION "Tenant_notice"('tenantId');

-- Quotas and credits

ALTER TABLE "Usage" ADD CONSTRAINT "Usage_bounds" CHECK ("used" >= 0 AND "returned" >= 0);
-- Housekeeping deletes counts of past months, those of the sandbox's addresses sooner.
CREATE INDEX "Usage_address_period_idx" ON "Usage"("period") WHERE "subject" LIKE 'ip:%';

ALTER TABLE "CreditAccount" ADD CONSTRAINT "CreditAccount_bounds" CHECK ("purchased" >= 0 AND "used" >= 0 AND "verifications" >= 0);

-- A claim that is paid for in credits takes one, and gives it back when it is freed. The two cannot come apart, whatever crashes in between:
-- an account has used as many credits as it has settlements that were not freed.
CREATE FUNCTION "Settlement_credit"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE "CreditAccount" SET "used" = "used" + 1
      WHERE "wallet" = split_part(NEW."subject", ':', 3) AND "environment" = split_part(NEW."subject", ':', 2) AND "used" < "purchased";
    IF NOT FOUND THEN
      RAISE EXCEPTION 'no credits are left' USING ERRCODE = 'QT001';
    END IF;
  ELSE
    UPDATE "CreditAccount" SET "used" = "used" - 1
      WHERE "wallet" = split_part(NEW."subject", ':', 3) AND "environment" = split_part(NEW."subject", ':', 2);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "Settlement_credit_insert" AFTER INSERT ON "Settlement" FOR EACH ROW
  WHEN (NEW."period" = 'prepaid') EXECUTE FUNCTION "Settlement_credit"();
CREATE TRIGGER "Settlement_credit_freed" AFTER UPDATE OF "state" ON "Settlement" FOR EACH ROW
  WHEN (NEW."period" = 'prepaid' AND NEW."state" = 'REJECTED' AND OLD."state" <> 'REJECTED') EXECUTE FUNCTION "Settlement_credit"();

-- History and analytics

-- Failures are few: without these a page of them would read through all that went well.
CREATE INDEX "History_owner_failures_idx" ON "History"("ownerKind", "ownerId", "createdAt", "id") WHERE NOT "success";
CREATE INDEX "History_tenant_failures_idx" ON "History"("tenantId", "createdAt", "id") WHERE NOT "success";
CREATE INDEX "History_payer_failures_idx" ON "History"("payer", "createdAt", "id") WHERE NOT "success";
CREATE INDEX "History_failures_idx" ON "History"("createdAt", "id") WHERE NOT "success";
-- A resource by its hash: written out it may be too long for a key, and then its payment could not be recorded.
CREATE INDEX "History_owner_resource_idx" ON "History"("ownerKind", "ownerId", hashtextextended("resource", 0), "createdAt", "id");
-- Payments that were judged and failed before anything was sent: housekeeping deletes these rows.
CREATE INDEX "History_judged_idx" ON "History"("createdAt", "id") WHERE "caller" IS NOT NULL;

-- Days that are to be summed up (again).
CREATE INDEX "RollupDay_dirty_idx" ON "RollupDay"("day", "tenantId") WHERE "state" = 'dirty';

-- The first day that is not looked at yet.
INSERT INTO "RollupCursor" ("day") VALUES ((now() AT TIME ZONE 'UTC')::date);

-- What was computed from an owner's finished days is not true any more, nor what was computed from all owners' days.
CREATE FUNCTION "Analytics_changed"("ownerKind" text, "ownerId" text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO "AnalyticsEpoch" AS e ("scope") VALUES ('owner:' || "ownerKind" || ':' || "ownerId")
    ON CONFLICT ("scope") DO UPDATE SET "epoch" = e."epoch" + 1;
  INSERT INTO "AnalyticsEpoch" AS e ("scope") VALUES ('all')
    ON CONFLICT ("scope") DO UPDATE SET "epoch" = e."epoch" + 1;
$$;

-- A row of a finished day that comes late, changes or goes: its day is summed up again, once per transaction. A sum of the day holds the day's
-- row, so this waits for it, and the sum sees what was committed before. The sums of a day whose failed rows were deleted stay: they can never
-- be made from its rows again.
CREATE FUNCTION "History_day"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed "History" := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  INSERT INTO "RollupDay" AS d ("tenantId", "day", "state")
    VALUES (changed."tenantId", (changed."createdAt" AT TIME ZONE 'UTC')::date, 'dirty')
    ON CONFLICT ("tenantId", "day") DO UPDATE SET "state" = 'dirty'
      WHERE NOT d."pruned" AND (d."state" <> 'dirty' OR d.xmin <> pg_current_xact_id()::xid);
  IF FOUND THEN
    PERFORM "Analytics_changed"(changed."ownerKind", changed."ownerId");
  END IF;
  RETURN NULL;
END $$;
-- Rows of today, which are nearly all, cost a comparison.
CREATE TRIGGER "History_day_insert" AFTER INSERT ON "History" FOR EACH ROW
  WHEN ((NEW."createdAt" AT TIME ZONE 'UTC')::date < (clock_timestamp() AT TIME ZONE 'UTC')::date) EXECUTE FUNCTION "History_day"();
CREATE TRIGGER "History_day_update" AFTER UPDATE ON "History" FOR EACH ROW
  WHEN ((OLD."createdAt" AT TIME ZONE 'UTC')::date < (clock_timestamp() AT TIME ZONE 'UTC')::date
    AND (OLD."success", OLD."errorReason", OLD."amount") IS DISTINCT FROM (NEW."success", NEW."errorReason", NEW."amount"))
  EXECUTE FUNCTION "History_day"();
CREATE TRIGGER "History_day_delete" AFTER DELETE ON "History" FOR EACH ROW
  WHEN ((OLD."createdAt" AT TIME ZONE 'UTC')::date < (clock_timestamp() AT TIME ZONE 'UTC')::date) EXECUTE FUNCTION "History_day"();

-- A key whose flag changes leaves analytics, or comes back, whole.
CREATE FUNCTION "Tenant_flag"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "Analytics_changed"(NEW."ownerKind", NEW."ownerId");
  RETURN NULL;
END $$;
CREATE TRIGGER "Tenant_flag" AFTER UPDATE OF "historyEnabled" ON "Tenant" FOR EACH ROW
  WHEN (OLD."historyEnabled" <> NEW."historyEnabled") EXECUTE FUNCTION "Tenant_flag"();

-- Effects, webhooks

-- One open effect of a kind about one thing, and those that are due.
CREATE UNIQUE INDEX "Outbox_open_key" ON "Outbox"("kind", "key") WHERE "doneAt" IS NULL;
CREATE INDEX "Outbox_due_idx" ON "Outbox"("kind", "nextAt", "id") WHERE "doneAt" IS NULL;
CREATE INDEX "Outbox_done_idx" ON "Outbox"("doneAt") WHERE "doneAt" IS NOT NULL;

-- What waits is taken endpoint by endpoint: what waits for one is in no other's way.
CREATE INDEX "WebhookDelivery_waiting_idx" ON "WebhookDelivery"("endpointId", "nextAt", "id") INCLUDE ("ownerId") WHERE "state" = 'pending';
-- Undelivered ones are few: without this a page of them would read through all that were delivered.
CREATE INDEX "WebhookDelivery_unheard_idx" ON "WebhookDelivery"("ownerKind", "ownerId", "id") WHERE "state" <> 'delivered';
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_state" CHECK ("state" IN ('pending', 'delivered', 'failed'));

-- The operator's own tenants: the sandbox, for callers without a key, and the one where agents buy credits.
INSERT INTO "Owner" ("kind", "id") VALUES ('system', 'quittance');
INSERT INTO "Tenant" ("id", "ownerKind", "ownerId", "plan", "name") VALUES
  ('00000000-0000-0000-0000-000000000000', 'system', 'quittance', 'sandbox', 'Sandbox'),
  ('00000000-0000-0000-0000-000000000001', 'system', 'quittance', 'agent', 'Credits');
