-- The listings that others took from an owner
CREATE INDEX CONCURRENTLY IF NOT EXISTS "Resource_takenFrom_idx" ON "Resource"("takenFrom") WHERE "takenFrom" IS NOT NULL;
