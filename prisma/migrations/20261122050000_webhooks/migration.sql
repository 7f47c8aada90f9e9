-- Webhooks: who hears how settlements ended, what is told them, and each try.

-- AlterTable
ALTER TABLE "Outbox" ADD COLUMN     "data" JSONB;

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
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_endpointId_fkey" FOREIGN KEY ("endpointId") REFERENCES "WebhookEndpoint"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookAttempt" ADD CONSTRAINT "WebhookAttempt_deliveryId_fkey" FOREIGN KEY ("deliveryId") REFERENCES "WebhookDelivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- What the schema language cannot say.

-- Deliveries that are due.
CREATE INDEX "WebhookDelivery_due_idx" ON "WebhookDelivery"("nextAt", "id") WHERE "state" = 'pending';
-- Those that were not heard are few: without this a page of them would read through all that were.
CREATE INDEX "WebhookDelivery_unheard_idx" ON "WebhookDelivery"("ownerKind", "ownerId", "id") WHERE "state" <> 'delivered';
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_state" CHECK ("state" IN ('pending', 'delivered', 'failed'));
