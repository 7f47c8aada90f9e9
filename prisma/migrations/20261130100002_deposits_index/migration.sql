-- The channels of a tenant that never had a deposit, the oldest first. It takes the place of "Channel_undeposited".
CREATE INDEX CONCURRENTLY IF NOT EXISTS "Channel_unheld" ON "Channel"("tenantId", "createdAt") WHERE "stored" AND "heldAt" IS NULL;
