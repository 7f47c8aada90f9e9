-- The newest deposits of a key, for the report of its listings.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "Settlement_deposit_idx" ON "Settlement"("tenantId", "createdAt") WHERE "kind" = 'deposit';
