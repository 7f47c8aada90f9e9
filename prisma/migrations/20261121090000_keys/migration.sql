-- DropIndex
DROP INDEX "Tenant_ownerKind_ownerId_idx";

-- AlterTable
ALTER TABLE "Settlement" ADD COLUMN     "returnCap" INTEGER NOT NULL DEFAULT 100,
ADD COLUMN     "subject" TEXT NOT NULL DEFAULT '';
UPDATE "Settlement" SET "subject" = "caller";
ALTER TABLE "Settlement" ALTER COLUMN "returnCap" DROP DEFAULT, ALTER COLUMN "subject" DROP DEFAULT;

-- AlterTable
ALTER TABLE "Tenant" ADD COLUMN     "allowedNetworks" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "maxAmount" DECIMAL(78,0),
ADD COLUMN     "ownQuota" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "payToAllow" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "rps" INTEGER,
ADD COLUMN     "settlementQuota" INTEGER,
ADD COLUMN     "verificationQuota" INTEGER,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 0;

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

-- CreateIndex
CREATE UNIQUE INDEX "ApiKey_hash_key" ON "ApiKey"("hash");

-- CreateIndex
CREATE INDEX "ApiKey_tenantId_id_idx" ON "ApiKey"("tenantId", "id");

-- CreateIndex
CREATE INDEX "Idempotency_createdAt_idx" ON "Idempotency"("createdAt");

-- CreateIndex
CREATE INDEX "Tenant_ownerKind_ownerId_id_idx" ON "Tenant"("ownerKind", "ownerId", "id");

-- AddForeignKey
ALTER TABLE "ApiKey" ADD CONSTRAINT "ApiKey_tenantId_fkey" FOREIGN KEY ("tenantId") REFERENCES "Tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SponsorSpend" ADD CONSTRAINT "SponsorSpend_tenantId_fkey" FOREIGN KEY ("tenantId") REFERENCES "Tenant"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the schema language cannot say.

-- What a caller has on its way to the chain: the queue that its cap bounds.
CREATE INDEX "Settlement_caller_idx" ON "Settlement"("caller") WHERE "state" IN ('CLAIMED', 'PREPARED', 'BROADCAST');

ALTER TABLE "Tenant" ADD CONSTRAINT "Tenant_overrides"
  CHECK ("rps" >= 1 AND "settlementQuota" >= 0 AND "verificationQuota" >= 0 AND "maxAmount" > 0);

-- A claim that was admitted by older settings must see that they changed, whoever changed them.
CREATE FUNCTION "Tenant_version"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."version" := OLD."version" + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER "Tenant_version" BEFORE UPDATE ON "Tenant" FOR EACH ROW EXECUTE FUNCTION "Tenant_version"();
