-- AlterTable
ALTER TABLE "RollupDay" ADD COLUMN     "pruned" BOOLEAN NOT NULL DEFAULT false;

-- What the schema language cannot say.

-- Payments that were judged and failed before anything was sent: housekeeping deletes these rows.
CREATE INDEX "History_judged_idx" ON "History"("createdAt", "id") WHERE "caller" IS NOT NULL;

-- As before, but the sums of a day whose failed rows were deleted stay: they can never be made from its rows again.
CREATE OR REPLACE FUNCTION "History_day"() RETURNS trigger LANGUAGE plpgsql AS $$
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
