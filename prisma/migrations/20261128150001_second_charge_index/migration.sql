-- The recent payments of a payer for a caller that are final. It also serves what "Settlement_paid_idx" serves.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "Settlement_paid_at_idx" ON "Settlement"("payer", "caller", "createdAt") WHERE "state" = 'FINAL';
