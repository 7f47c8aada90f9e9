-- When an owner made its newest keys: at most as many as it may make in a day.
ALTER TABLE "Owner" ADD COLUMN     "keysMadeAt" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[];

-- An owner's live tenants are found whatever it revoked.
CREATE INDEX "Tenant_live_idx" ON "Tenant"("ownerKind", "ownerId", "id") WHERE "revokedAt" IS NULL;

-- Secrets that ended, by when they did.
CREATE INDEX "ApiKey_ended_idx" ON "ApiKey"((LEAST("revokedAt", "graceUntil"))) WHERE LEAST("revokedAt", "graceUntil") IS NOT NULL;
