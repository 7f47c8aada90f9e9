-- AlterTable
ALTER TABLE "Settlement" ADD COLUMN     "effects" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "Outbox" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
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
CREATE INDEX "AgentLookup_askedAt_idx" ON "AgentLookup"("askedAt");

-- CreateIndex
CREATE INDEX "AgentToken_wallet_idx" ON "AgentToken"("wallet");

-- AddForeignKey
ALTER TABLE "ResourceAccept" ADD CONSTRAINT "ResourceAccept_resourceId_fkey" FOREIGN KEY ("resourceId") REFERENCES "Resource"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the schema language cannot say.

-- One open effect of a kind about one thing, and those that are due.
CREATE UNIQUE INDEX "Outbox_open_key" ON "Outbox"("kind", "key") WHERE "doneAt" IS NULL;
CREATE INDEX "Outbox_due_idx" ON "Outbox"("kind", "nextAt", "id") WHERE "doneAt" IS NULL;
CREATE INDEX "Outbox_done_idx" ON "Outbox"("doneAt") WHERE "doneAt" IS NOT NULL;
