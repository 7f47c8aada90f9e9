-- A row's time is taken after its transaction can be seen to be under way, never before: pages end where nothing older can appear.
CREATE FUNCTION "History_now"() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT CASE WHEN pg_current_xact_id() IS NOT NULL THEN clock_timestamp() END
$$;

-- AlterTable
ALTER TABLE "History" ALTER COLUMN "createdAt" SET DEFAULT "History_now"();

-- AlterTable
ALTER TABLE "Settlement" ADD COLUMN     "scrubbedAt" TIMESTAMPTZ(3);

-- What the schema language cannot say.

-- Failures are few: without these a page of them would read through all that went well.
CREATE INDEX "History_owner_failures_idx" ON "History"("ownerKind", "ownerId", "createdAt", "id") WHERE NOT "success";
CREATE INDEX "History_tenant_failures_idx" ON "History"("tenantId", "createdAt", "id") WHERE NOT "success";
CREATE INDEX "History_payer_failures_idx" ON "History"("payer", "createdAt", "id") WHERE NOT "success";
CREATE INDEX "History_failures_idx" ON "History"("createdAt", "id") WHERE NOT "success";

-- Settlements of keys that keep no history, until what safety does not need is gone from them.
CREATE INDEX "Settlement_unlogged_idx" ON "Settlement"("createdAt", "id") WHERE NOT "logged" AND "scrubbedAt" IS NULL;
